#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Drive the window as a screen reader does: through AT-SPI, in a process of its own.

    assistive.py COMMAND...       for example: assistive.py packaging/dev exec palimpsest

Starts a display (Xvfb), a D-Bus and the AT-SPI registry of its own, opens the session of the manual in the program that
COMMAND starts, and finds, reads, chooses and moves painted items. One line for each check; exit status 1 if one fails, 2
if something that the script needs is missing. Needs the Debian packages xvfb, dbus, at-spi2-core, python3-pyatspi and
libglib2.0-bin. The tests of the build do not run it: they ask the same of the accessible objects within the process."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SESSION = Path(__file__).resolve().parents[2] / "resources/manual/session.jsonl"
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
PATIENCE = 30  # seconds for anything to appear


IGNORE_ERRORS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda _display, _error: 0)


class Missing(Exception):
    pass


def start_servers(place, children):
    """A display, a bus and a registry that nobody else uses."""
    for tool in ("Xvfb", "dbus-daemon"):
        if not shutil.which(tool):
            raise Missing(f"{tool} is not installed.")
    if not os.path.exists(LAUNCHER):
        raise Missing("at-spi2-core is not installed.")
    reading, writing = os.pipe()
    children.append(subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24"],
                                     pass_fds=[writing], stderr=subprocess.DEVNULL))
    os.close(writing)
    with os.fdopen(reading) as number:
        os.environ["DISPLAY"] = ":" + number.readline().strip()
    for name in ("CONFIG", "DATA", "CACHE", "RUNTIME"):
        folder = Path(place) / name.lower()
        folder.mkdir(mode=0o700)
        os.environ[f"XDG_{name}_HOME" if name != "RUNTIME" else "XDG_RUNTIME_DIR"] = str(folder)
    bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address",
                            f"--address=unix:path={place}/bus"], stdout=subprocess.PIPE, text=True)
    children.append(bus)
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
    children.append(subprocess.Popen([LAUNCHER, "--launch-immediately"], stderr=subprocess.DEVNULL))
    os.environ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"
    os.environ["QT_QPA_PLATFORM"] = "xcb"


class Reader:
    """What a screen reader knows: the tree of accessible objects and their events."""

    def __init__(self):
        try:
            import pyatspi
            from gi.repository import GLib
        except ImportError as error:
            raise Missing("python3-pyatspi is not installed.") from error
        self.pyatspi = pyatspi
        self.context = GLib.MainContext.default()
        self.events = []
        pyatspi.Registry.registerEventListener(
            lambda event: self.events.append((event.type, self.name_of(event.source), event.detail1)),
            "object:state-changed:focused", "object:property-change:accessible-value", "object:selection-changed")

    @staticmethod
    def name_of(node):
        try:
            return node.name
        except Exception:  # it is gone
            return ""

    def wait(self, found):
        """What `found` returns once that is true."""
        end = time.monotonic() + PATIENCE
        while True:
            while self.context.iteration(False):
                pass
            try:
                result = found()
            except Exception:  # the tree changes while it is read
                result = None
            if result or time.monotonic() > end:
                return result
            time.sleep(0.05)

    def application(self, pid):
        desktop = self.pyatspi.Registry.getDesktop(0)
        return next((each for each in desktop if each and each.name.lower() == "palimpsest"), None)

    def find(self, root, role, fits, seen=None):
        """The first object with the role that fits; lists are not entered, unless they are asked for."""
        todo = [root]
        while todo:
            node = todo.pop(0)
            if node is None:
                continue
            if node.getRoleName() == role and fits(node):
                return node
            if node.getRoleName() != "list" or node is root:
                todo.extend(node[i] for i in range(node.childCount))
        return None

    def has(self, node, state):
        node.clear_cache() if hasattr(node, "clear_cache") else None
        return node.getState().contains(getattr(self.pyatspi, state))

    def press(self, keysym):
        self.pyatspi.Registry.generateKeyboardEvent(keysym, None, self.pyatspi.KEY_SYM)


class Checks:
    def __init__(self):
        self.failed = 0

    def __call__(self, what, is_so, told=""):
        print(("ok    " if is_so else "FAIL  ") + what + (f": {told}" if told else ""), flush=True)
        self.failed += not is_so


def check_slots(reader, window, check):
    array = reader.wait(lambda: reader.find(window, "list", lambda node: node.name == "Array"))
    check("the array is a list", array is not None)
    if array is None:
        return None
    names = [array[i].name for i in range(array.childCount)]
    check("every item in sight has a name with figures", names and all(any(c.isdigit() for c in n) for n in names),
          f"{len(names)} items, the first is “{names[0]}”")
    slots = [i for i, name in enumerate(names) if name.startswith("slot ")]
    slot = array[slots[len(slots) // 2]]
    action = slot.queryAction()
    check("a slot can be pressed", action.nActions >= 1, action.getName(0))
    action.doAction(0)
    check("a pressed slot is selected", reader.wait(lambda: reader.has(slot, "STATE_SELECTED")), slot.name)
    return array


def activate_window():
    """Gives the X focus to the window on top, which a window manager would do."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
    one, two = ctypes.c_ulong(), ctypes.c_ulong()
    children, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
    x11.XQueryTree(display, root, ctypes.byref(one), ctypes.byref(two), ctypes.byref(children), ctypes.byref(count))
    x11.XSetErrorHandler(IGNORE_ERRORS)  # of windows that are not shown
    for i in range(count.value):
        x11.XSetInputFocus(display, ctypes.c_ulong(children[i]), 2, ctypes.c_ulong(0))
    x11.XSync(display, 0)
    x11.XCloseDisplay(display)


def check_keys(reader, array, check):
    activate_window()
    array.queryComponent().grabFocus()
    check("the array takes the focus", reader.wait(lambda: reader.has(array, "STATE_FOCUSED")))
    before = len(reader.events)
    reader.press(0xFF53)  # Right

    def told():
        return [name for kind, name, on in reader.events[before:]
                if kind.startswith("object:state-changed:focused") and on and name.startswith("slot ")]

    names = reader.wait(told)
    check("a key tells which slot it went to", bool(names), names[-1] if names else "no event")


def check_keep(reader, array, check):
    keep = reader.find(array, "slider", lambda node: node.name.startswith("keep "))
    check("the boundary of the keep window is a slider", keep is not None, keep.name if keep else "")
    if keep is None:
        return
    value = keep.queryValue()
    old, wanted = value.currentValue, value.currentValue + value.minimumIncrement
    before = len(reader.events)
    value.currentValue = wanted
    check("its value can be set", reader.wait(lambda: keep.queryValue().currentValue == wanted), f"{old} to {wanted}")
    check("its value is told", reader.wait(
        lambda: any(kind.startswith("object:property-change:accessible-value") for kind, _, _ in reader.events[before:])))


def check_timeline(reader, window, check):
    timeline = reader.wait(lambda: reader.find(window, "list", lambda node: node.name.startswith("Timeline")))
    check("the timeline is a list", timeline is not None)
    if timeline is None:
        return
    call = reader.find(timeline, "list item", lambda node: node.name.startswith("call 5,"))
    check("a call has its tokens in its name", call is not None and "tokens" in call.name, call.name if call else "")
    if call is not None:
        call.queryAction().doAction(0)
        check("a pressed call is selected", reader.wait(lambda: reader.has(call, "STATE_SELECTED")))


def check_layouts(reader, window, check):
    switch = reader.find(window, "list", lambda node: node.name == "Layout")
    check("the layouts are a list", switch is not None)
    if switch is None:
        return
    for page, role, name in (("Edits", "tree table", "Edits"), ("Debug", "list", "Array")):
        item = next((switch[i] for i in range(switch.childCount) if switch[i].name == page), None)
        check(f"the layout {page} is there", item is not None, str([switch[i].name for i in range(switch.childCount)]))
        if item is None:
            continue
        item.queryAction().doAction(0)
        roles = (role, "tree", "table")
        found = reader.wait(lambda: next(filter(None, (
            reader.find(window, each, lambda node: node.name == name and reader.has(node, "STATE_SHOWING"))
            for each in roles)), None))
        check(f"pressing {page} shows {name}", found is not None)


def run(command, place, children):
    start_servers(place, children)
    reader = Reader()
    program = subprocess.Popen([*command, str(SESSION)], stderr=subprocess.DEVNULL)
    children.append(program)
    check = Checks()
    window = reader.wait(lambda: reader.application(program.pid))
    check("the program is on the bus", window is not None)
    if window is None:
        return 1
    array = check_slots(reader, window, check)
    if array is not None:
        check_keys(reader, array, check)
        check_keep(reader, array, check)
    check_timeline(reader, window, check)
    check_layouts(reader, window, check)
    print(f"{check.failed} checks failed" if check.failed else "all checks hold")
    return 1 if check.failed else 0


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    children = []
    with tempfile.TemporaryDirectory() as place:
        try:
            return run(sys.argv[1:], place, children)
        except Missing as error:
            print(f"assistive.py: {error}", file=sys.stderr)
            return 2
        finally:
            for child in reversed(children):
                child.terminate()
            for child in children:
                child.wait()


if __name__ == "__main__":
    sys.exit(main())
