"""Text within content streams: found, replaced in place where the font has the letters, else removed and set anew."""

import re

import pikepdf


class Failed(Exception):
    """An editor could not make this edit in this file."""


def to_unicode(stream):
    """Code to text by a ToUnicode CMap."""
    found, data = {}, stream.read_bytes().decode("latin-1")
    text = lambda digits: bytes.fromhex(digits).decode("utf-16-be", "replace")
    for block in re.findall(r"beginbfchar(.*?)endbfchar", data, re.S):
        for code, to in re.findall(r"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]+)\s*>", block):
            found[int(code, 16)] = text(to)
    for block in re.findall(r"beginbfrange(.*?)endbfrange", data, re.S):
        for first, last, one, many in re.findall(r"<\s*(\w+)\s*>\s*<\s*(\w+)\s*>\s*(?:<\s*(\w+)\s*>|\[(.*?)\])", block, re.S):
            first, last = int(first, 16), int(last, 16)
            if one:
                start = int(one, 16)
                found.update(
                    {code: text(f"{start + code - first:0{len(one)}x}") for code in range(first, min(last, first + 65535) + 1)}
                )
            else:
                found.update({first + index: text(to) for index, to in enumerate(re.findall(r"<\s*(\w+)\s*>", many))})
    return found


class Font:
    """Codes of a font and what they mean."""

    def __init__(self, font):
        self.width = 2 if font.get("/Subtype") == "/Type0" else 1
        self.meaning = {}
        if self.width == 1:
            encoding = font.get("/Encoding")
            embedded = font.get("/FontDescriptor") is not None or font.get("/Subtype") == "/Type3"
            if not embedded or not isinstance(encoding, pikepdf.Dictionary):
                self.meaning = {code: bytes([code]).decode("cp1252", "ignore") for code in range(32, 256)}
            if isinstance(encoding, pikepdf.Dictionary):
                from fontTools.agl import toUnicode

                code = 0
                for item in encoding.get("/Differences", []):
                    if isinstance(item, pikepdf.Name):
                        self.meaning[code] = toUnicode(str(item)[1:])
                        code += 1
                    else:
                        code = int(item)
        if "/ToUnicode" in font:
            if "+" in str(font.get("/BaseFont", "")):
                self.meaning = {}  # a subset: it has what it lists
            self.meaning.update(to_unicode(font.ToUnicode))
        self.codes = {}
        for code, text in self.meaning.items():
            self.codes.setdefault(text, code)

    def decode(self, data):
        """(text, bytes) of every code."""
        for at in range(0, len(data), self.width):
            code = data[at : at + self.width]
            yield self.meaning.get(int.from_bytes(code, "big"), "\ufffd"), code

    def encode(self, text):
        """Codes, or None if the font lacks a letter."""
        codes = [self.codes.get(letter) for letter in text]
        return None if None in codes else b"".join(code.to_bytes(self.width, "big") for code in codes)


def inherited(page, key):
    node = page
    while node is not None:
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return pikepdf.Dictionary()


def replace(pdf, number, edit):
    """The page's content with the edit's old text replaced, and whether the new text is still to be drawn."""
    page = pdf.pages[number]
    fonts, font, shown = {}, None, []
    instructions = list(pikepdf.parse_content_stream(page))
    named = inherited(page.obj, "/Resources").get("/Font", {})
    for index, (operands, operator) in enumerate(instructions):
        operator = str(operator)
        if operator == "Tf":
            name = str(operands[0])
            if name not in fonts and name in named:
                fonts[name] = Font(named[name])
            font = fonts.get(name)
        elif operator in ("Tj", "'", '"', "TJ") and font:
            strings = operands[0] if operator == "TJ" else [operands[-1]]
            for place, string in enumerate(strings):
                if isinstance(string, pikepdf.String):
                    shown += [(index, place, font, *code) for code in font.decode(bytes(string))]
    # positions of spaces differ between writers: compared without
    letters = [(position, letter) for position, entry in enumerate(shown) for letter in entry[3] if letter.strip()]
    wanted = edit.old.replace(" ", "")
    at = "".join(letter for _, letter in letters).find(wanted)
    if at < 0:
        raise Failed("the text is not in the page's content as one")
    first, last = letters[at][0], letters[at + len(wanted) - 1][0]
    codes = shown[first][2].encode(edit.new) if {entry[2] for entry in shown[first : last + 1]} == {shown[first][2]} else None
    pieces = {}
    for position, (index, place, _, _, code) in enumerate(shown):
        piece = pieces.setdefault(index, {}).setdefault(place, bytearray())
        if position == first and codes is not None:
            piece += codes
        if not first <= position <= last:
            piece += code
    for index in {shown[position][0] for position in range(first, last + 1)}:
        operands, operator = instructions[index]
        if str(operator) == "TJ":
            items = [
                pikepdf.String(bytes(pieces[index][place])) if place in pieces[index] else item
                for place, item in enumerate(operands[0])
            ]
            operands = [pikepdf.Array(items)]
        else:
            operands = [*operands[:-1], pikepdf.String(bytes(pieces[index][0]))]
        instructions[index] = pikepdf.ContentStreamInstruction(operands, operator)
    return pikepdf.unparse_content_stream(instructions), codes is None


def escape(text):
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def drawn(edit, font="/FEdit"):
    """Operators that draw the new text."""
    (x, y), size = edit.at, edit.size
    return f"q BT 0 g {font} {size:g} Tf {x:.2f} {y:.2f} Td ({escape(edit.new)}) Tj ET Q".encode("latin-1")


def covered(edit):
    """Operators that paint a white box."""
    left, bottom, right, top = edit.box
    return f"q 1 g {left:.2f} {bottom:.2f} {right - left:.2f} {top - bottom:.2f} re f Q".encode()


HELVETICA = pikepdf.Dictionary(
    Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica, Encoding=pikepdf.Name.WinAnsiEncoding
)


def in_place(pdf, edit):
    """Replaces the text in the page of an open file; content and resources of the page are new."""
    page = pdf.pages[edit.page]
    content, missing = replace(pdf, edit.page, edit)
    if missing:
        content = b"q\n" + content + b"\nQ\n" + drawn(edit)
        resources = pikepdf.Dictionary(dict(inherited(page.obj, "/Resources").items()))
        named = pikepdf.Dictionary(dict(resources.get("/Font", pikepdf.Dictionary()).items()))
        named["/FEdit"] = pdf.make_indirect(pikepdf.Dictionary(HELVETICA))
        resources["/Font"] = named
        page.obj["/Resources"] = resources
    page.obj["/Contents"] = pdf.make_stream(content)
