"""Running the rules: each check over each of its subjects, and what becomes of one that raises."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from qoslint.engine.registry import Check, Rule
from qoslint.engine.subjects import Bearer, Subject
from qoslint.finding import HERE, OBJECT, Edit, Place, Problem, Related, Severity


@dataclass(frozen=True, slots=True)
class Raised:
    """A problem of one object, with the rule that found it."""

    rule: Rule
    severity: Severity
    place: Place
    template: str
    """The message with `OBJECT` where the bearer's name goes: equal for equal problems."""
    related: tuple[Related, ...]
    bearer: Bearer
    edits: tuple[Edit, ...] = ()
    shared: str = ""

    @property
    def message(self) -> str:
        """The message about this bearer."""
        return self.template.replace(OBJECT, self.bearer.label)


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that raised: the rule, the subject and the error, as one line."""

    message: str


def runnable(rules: Iterable[Rule], subjects: Collection[str]) -> tuple[Rule, ...]:
    """The rules that have something to look at: some look only at what differs of two revisions."""
    return tuple(rule for rule in rules if rule.check[0] in subjects)


def run(
    rules: Iterable[Rule], subjects: Mapping[str, Iterable[Subject]]
) -> Iterator[Raised | Failure]:
    """Every problem that the rules find in the subjects, which are keyed by the name of the check.

    A check that raises costs its answer for one subject; the run goes on.
    """
    by_name: dict[str, list[tuple[Rule, Check]]] = {}
    for rule in rules:
        name, check = rule.check
        by_name.setdefault(name, []).append((rule, check))
    # Subject by subject: what several rules derive from one is derived once. Nearly all of these
    # calls find nothing, so that nothing else is called for them.
    for name, checks in by_name.items():
        for subject in subjects[name]:
            for rule, check in checks:
                try:
                    problems = [*check(subject.value)]
                except Exception as error:
                    yield _failure(rule, subject, error)
                    continue
                if problems:
                    yield from _raised_by(rule, problems, subject)


def _failure(rule: Rule, subject: Subject, error: Exception) -> Failure:
    label = subject.bearers[0].label
    return Failure(f"{rule.page.code} on {label}: {type(error).__name__}: {error}")


def _raised_by(rule: Rule, problems: Iterable[Problem], subject: Subject) -> Iterator[Raised]:
    for problem in problems:
        for bearer in subject.bearers:
            yield _raised(rule, problem, bearer)


def _raised(rule: Rule, problem: Problem, bearer: Bearer) -> Raised:
    if problem.about:
        bearer = bearer._replace(label=problem.about)
    return Raised(
        rule=rule,
        severity=_severity(rule, problem),
        place=_rebased(problem.place, bearer),
        template=problem.message,
        related=tuple(
            related._replace(place=_rebased(related.place, bearer)) for related in problem.related
        ),
        bearer=bearer,
        edits=tuple(edit._replace(place=_rebased(edit.place, bearer)) for edit in problem.edits),
        shared=problem.shared,
    )


def _severity(rule: Rule, problem: Problem) -> Severity:
    """A check's own severity counts unless the settings changed that of the rule."""
    if problem.severity is None or rule.severity is not rule.page.severity:
        return rule.severity
    return problem.severity


def _rebased(place: Place, bearer: Bearer) -> Place:
    if place.object == HERE and bearer.admitted is not None:
        return bearer.admitted.at(place.path, place.part)
    return place
