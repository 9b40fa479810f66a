"""Settings and manifests with which changes suppress findings."""

from .two_findings import deployment

RULES = "rules: {select: [QOS007, QOS701, QOS903]}\n"
WITH = "rules:\n  select: [QOS007, QOS701, QOS903]\n"
WEB = "QOS701 on Deployment shop/web"


def excepted(*exceptions):
    return f"{WITH}  exceptions:\n" + "".join(f"    - {{{each}}}\n" for each in exceptions)


def exception(thing="shop/Deployment/web", rule="QOS701", more=""):
    return f"rule: {rule}, object: '{thing}', reason: the load test{more}"


def annotated(value="QOS701 the load test", name="qoslint.dev/ignore", text=None):
    return (text or deployment()).replace(
        "metadata:\n", f"metadata:\n  annotations:\n    {name}: {value}\n", 1
    )
