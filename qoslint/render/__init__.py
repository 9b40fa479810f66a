"""From files to the documents that they stand for: plain files, charts, kustomizations."""
