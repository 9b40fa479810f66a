{{- define "web.containers" -}}
- name: web
  image: {{ .Values.image }}
  resources:
    {{- toYaml .Values.resources | nindent 4 }}
- name: exporter
  image: registry.example/tools/exporter:1
  {{- toYaml .Values.exporter.resources | nindent 2 }}
{{- end }}
