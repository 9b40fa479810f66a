"""Resource lists out of JSON, and their rounding.

Mirrors `pkg/apis/core/v1/defaults.go SetDefaults_ResourceList`.
"""

from __future__ import annotations

from qoslint.kernel.jsonvalue import DecodeError, mapping
from qoslint.kernel.pod import NO_RESOURCES, Path, ResourceList
from qoslint.kernel.quantity import Quantity, QuantityError, from_json, parse


def decode_resource_list(value: object, path: Path) -> ResourceList:
    """The quantities of a JSON object, empty if null; DecodeError in Kubernetes' words."""
    data = mapping(value, path)
    if not data:
        return NO_RESOURCES
    return ResourceList({name: decode_quantity(q, (*path, name)) for name, q in data.items()})


def decode_quantity(value: object, path: Path) -> Quantity:
    """One quantity of a JSON object; DecodeError in Kubernetes' words."""
    try:
        return from_json(value)
    except QuantityError as error:
        raise DecodeError(path, str(error)) from None


def round_up_milli(resources: ResourceList) -> ResourceList:
    """Every entry rounded up to thousandths, as the API server stores it."""
    rounded = {name: quantity.round_up_milli() for name, quantity in resources.items()}
    unchanged = all(quantity is resources[name] for name, quantity in rounded.items())
    return resources if unchanged else ResourceList(rounded)


def reread(resources: ResourceList) -> ResourceList:
    """The list as it is read from storage, which keeps the printed text of each quantity.

    `1.5Ki` is stored as `1536`, and is a decimal number from then on.
    """
    read = {name: _parse_again(quantity) for name, quantity in resources.items()}
    unchanged = all(quantity is resources[name] for name, quantity in read.items())
    return resources if unchanged else ResourceList(read)


def _parse_again(quantity: Quantity) -> Quantity:
    try:
        read = parse(str(quantity))
    except QuantityError:  # a sum can have a digit more than a single quantity may
        return quantity
    return quantity if read == quantity else read
