"""Resource lists out of JSON and out of storage."""

from __future__ import annotations

from collections.abc import Mapping

from qoslint.kernel.jsonvalue import DecodeError, mapping
from qoslint.kernel.pod import NO_RESOURCES, Path, ResourceList
from qoslint.kernel.quantity import Quantity, QuantityError, from_json, parse


def decode_resource_list(data: Mapping[str, object], key: str, path: Path = ()) -> ResourceList:
    """The quantities in a field of the object at `path`, none if it is null.

    DecodeError in Kubernetes' words.
    """
    value = data.get(key)
    if value is None:
        return NO_RESOURCES
    where = (*path, key)
    given = mapping(value, where)
    return ResourceList({name: decode_quantity(given, name, where) for name in given})


def decode_quantity(data: Mapping[str, object], key: str, path: Path) -> Quantity:
    """A quantity of the object at `path`; DecodeError in Kubernetes' words."""
    try:
        return from_json(data[key])
    except QuantityError as error:
        raise DecodeError((*path, key), str(error)) from None


def reread(resources: ResourceList) -> ResourceList:
    """The list as it is read from storage, which keeps the printed text of each quantity.

    `1.5Ki` is stored as `1536`, and is a decimal number from then on.
    """
    if all(quantity.text is not None for quantity in resources.values()):
        return resources
    return resources.map(_parse_again)


def _parse_again(quantity: Quantity) -> Quantity:
    if quantity.text is not None:  # it is what was parsed before
        return quantity
    try:
        read = parse(str(quantity))
    except QuantityError:  # a sum can have a digit more than a single quantity may
        return quantity
    return quantity if read == quantity else read
