"""`qoslint explain --evicted MESSAGE`: what a kubelet's message tells, and which key decided."""

import json

import pytest

from qoslint.cli.main import cli
from qoslint.schema import check

LOW = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 98424Ki. "
APP = "Container app was using 668Mi, request is 256Mi, has larger consumption of memory. "
POD = "Pod shop-1 was using 200Mi, request is 1Gi, has larger consumption of memory. "
SHOP = """
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: high}
    value: 1000
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: shop}
    spec:
      priorityClassName: high
      containers:
        - {name: app, image: i, resources: {requests: {memory: 512Mi}}}
        - {name: proxy, image: i, resources: {requests: {memory: 256Mi}}}
"""


@pytest.fixture
def text(capsys):
    """What the command prints, in one line."""

    def run(*arguments):
        cli.main(["explain", *arguments, "--color", "never"], standalone_mode=False)
        return " ".join(capsys.readouterr().out.split())

    return run


@pytest.fixture
def document(capsys):
    def run(*arguments):
        cli.main(["explain", *arguments, "--format", "json"], standalone_mode=False)
        found = json.loads(capsys.readouterr().out)
        assert list(check(found, "evicted")) == []
        return found

    return run


def test_it_tells_the_threshold_the_usages_and_the_key(qoslint):
    done = qoslint("explain", "--evicted", f'Message: "{LOW}\n  {APP}"')
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    assert "Available was 98424Ki, the threshold 100Mi: 3976Ki too little." in text
    assert "container 'app' used 668Mi, with a request of 256Mi: 412Mi above" in text
    assert "1. Usage above request: yes, by 412Mi for container 'app'" in text
    assert "2. Priority: not told." in text
    assert "3. Overage (usage - request): 412Mi for container 'app'." in text
    assert "which signal it was: memory.available or allocatableMemory.available" in text


def test_the_document_has_the_same_facts(document):
    found = document("--evicted", LOW + APP)
    assert (found["kind"], found["resource"], found["missing"]) == ("nodeLow", "memory", "3976Ki")
    assert found["usages"] == [
        {"ofPod": False, "name": "app", "usage": "668Mi", "request": "256Mi", "overage": "412Mi"}
    ]
    assert (found["cut"], found["workloads"]) == (False, [])


def test_a_message_that_names_nobody_tells_of_an_innocent_victim(text):
    told = text("--evicted", LOW)
    assert "no container is named, so none that was measured used more than its own" in told
    assert "innocent victim" in told


def test_of_a_pod_level_request_the_pod_as_a_whole_is_told(text):
    told = text("--evicted", LOW + POD)
    assert "the pod shop-1 used 200Mi, with a request of 1Gi: 824Mi below" in told
    assert "1. Usage above request: no, of the pod as a whole." in told
    above = text("--evicted", LOW + POD.replace("200Mi", "2Gi"))
    assert "1. Usage above request: yes, by 1Gi, of the pod as a whole." in above


def test_a_cut_message_is_not_taken_for_a_whole_one(text):
    told = text("--evicted", LOW + APP[:30])
    assert "The message is cut off: more containers may have been named." in told
    assert "innocent" not in told


def test_reclaiming_beyond_the_threshold_is_told(text):
    told = text("--evicted", LOW.replace("98424Ki", "101Mi"))
    assert "not too little any more" in told
    assert "evictionMinimumReclaim" in told


@pytest.mark.parametrize(
    ("resource", "sentence"),
    [
        ("pids", "1. Priority: not told."),
        ("inodes", "1. Uses any inode"),
        ("ephemeral-storage", "unless by what its volumes hold"),
    ],
)
def test_each_resource_has_its_own_keys(text, resource, sentence):
    assert sentence in text("--evicted", LOW.replace("memory", resource))


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (
            'Usage of EmptyDir volume "cache" exceeds the limit "1Gi". ',
            "The emptyDir volume 'cache' held more than its sizeLimit, 1Gi.",
        ),
        (
            "Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. ",
            "The pod used more local storage than the limits of its containers allow, 2Gi.",
        ),
        ('Container a exceeded its local ephemeral storage limit "1Gi". ', "container 'a' used"),
        ("The node had condition: [MemoryPressure]. ", "BestEffort pods are refused"),
        ("The node had condition: [DiskPressure]. ", "Only critical pods are admitted"),
    ],
)
def test_where_no_pods_were_ranked_it_says_so(text, document, message, sentence):
    told = text("--evicted", message)
    assert sentence in told
    assert "Which key decided" not in told
    assert document("--evicted", message)["kind"] in ("aboveLimit", "notAdmitted")


def test_a_workload_is_compared_by_its_authored_requests(text, document, repository, monkeypatch):
    monkeypatch.chdir(repository.write({"shop.yaml": SHOP}).root)
    message = LOW + APP + APP.replace("app", "cache")
    told = text("--evicted", message, "shop")
    assert "Compared with Pod default/shop (shop.yaml:8)" in told
    assert "container 'app' requests memory 512Mi; when it was evicted, 256Mi." in told
    assert "It has no container 'cache': the message is of another workload" in told
    assert "Its priority is 1000." in told
    (workload,) = document("--evicted", message, "shop")["workloads"]
    assert (workload["pod"]["request"], workload["pod"]["above"]) == ("768Mi", None)


def test_what_the_named_containers_used_can_show_that_the_pod_was_above(
    document, text, repository, monkeypatch
):
    monkeypatch.chdir(repository.write({"shop.yaml": SHOP}).root)
    message = LOW + APP.replace("668Mi", "1Gi")
    (workload,) = document("--evicted", message, "shop")["workloads"]
    assert workload["pod"]["above"] == "256Mi"
    assert "what the message tells is above it, by 256Mi" in text("--evicted", message, "shop")


def test_what_one_container_used_does_not_show_that_the_pod_was_above(
    text, repository, monkeypatch
):
    monkeypatch.chdir(repository.write({"shop.yaml": SHOP}).root)
    told = text("--evicted", LOW + APP.replace("256Mi", "512Mi"), "shop")
    assert "container 'app' requests memory 512Mi, as in the message." in told
    assert "requests memory 768Mi, which alone does not show whether the pod was above" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["OOMKilled"], "this is no message of an eviction that can be read: none of its"),
        (["The node was low on resource: \x1b[31mtea."], "none of its sentences"),
        ([LOW, "absent"], "there is no workload 'absent'"),
        (["The node had condition: [DiskPressure].", "shop"], "this message names no request"),
        ([LOW, "--node", "n"], "--evicted takes no --what-if and no --node"),
    ],
)
def test_what_is_no_message_is_one_clear_line(qoslint, repository, arguments, message):
    repository.write({"shop.yaml": SHOP})
    done = qoslint("explain", "--evicted", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
