"""Eleven ways in which an edited file is written."""

import shutil

import pikepdf

import edits, updates
from contents import Failed
from edits import run


def incremental(section):
    def write(job, edited, out):
        """An update behind the genuine file: by the editor itself, if it can; else its page is taken over into one."""
        genuine = job.source.read_bytes()
        if updates.kind(genuine) != section:
            raise Failed(f"the genuine file's cross-reference section is no {section}")
        edit, _, appends = edits.EDITORS[job.editor]
        if appends:
            edit(job.source, out, job.edit, job.node, incremental=True)
            if not out.read_bytes().startswith(genuine):
                raise Failed("the editor's update does not begin with the genuine file")
        else:
            out.write_bytes(updates.transplant(genuine, edited.read_bytes(), job.edit, section, job.rng.random() < 0.5))

    return write


def as_saved(job, edited, out):
    shutil.copy(edited, out)


def rewritten(mode):
    def write(job, edited, out):
        with pikepdf.open(edited) as pdf:
            pdf.save(out, object_stream_mode=mode)

    return write


def collected(job, edited, out):
    import pymupdf

    with pymupdf.open(edited) as file:
        file.save(out, garbage=4, deflate=True, clean=job.rng.random() < 0.5)


def linearized(job, edited, out):
    run(["qpdf", "--warning-exit-0", "--linearize", edited, out])


def decompressed(job, edited, out):
    if job.rng.random() < 0.5:
        run(["mutool", "clean", "-d", edited, out])
    else:
        run(["qpdf", "--warning-exit-0", "--qdf", edited, out])


def saved_twice(job, edited, out):
    """By two further programs."""
    import pypdf

    between = out.with_suffix(".between.pdf")
    pypdf.PdfWriter(clone_from=edited).write(between)
    run(["mutool", "clean", between, out])
    between.unlink()


def without_metadata(job, edited, out):
    """Document information and XMP removed, or set to those of the genuine file, dates included."""
    with pikepdf.open(edited) as pdf, pikepdf.open(job.source) as genuine:
        for holder, key in [(pdf.trailer, "/Info"), (pdf.Root, "/Metadata")]:
            if key in holder:
                del holder[key]
        if job.rng.random() < 0.5 and "/Info" in genuine.trailer:
            pdf.trailer["/Info"] = pdf.make_indirect(
                pikepdf.Dictionary({key: str(value) for key, value in genuine.trailer.Info.items()})
            )
        pdf.save(out)


def distilled(job, edited, out):
    if job.rng.random() < 0.5:
        run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", edited])
    else:
        run(["pdftocairo", "-pdf", edited, out])


WRITINGS = {
    "as the editor saves": as_saved,
    "update with table": incremental("table"),
    "update with stream": incremental("stream"),
    "rewritten with table": rewritten(pikepdf.ObjectStreamMode.disable),
    "rewritten with object streams": rewritten(pikepdf.ObjectStreamMode.generate),
    "garbage-collected": collected,
    "linearized": linearized,
    "decompressed": decompressed,
    "saved twice again": saved_twice,
    "metadata removed or reset": without_metadata,
    "printed anew": distilled,
}
