"""Charts as SVG, written by hand: lines of speed over size, bars of speed-ups. Readable on light and dark pages; colours
after Okabe and Ito."""
import math
from dataclasses import dataclass

WIDTH, HEIGHT, GAP = 496, 330, 10  # of a panel; between panels
LEFT, RIGHT, TOP, BOTTOM = 60, 150, 62, 46  # around its axes; on the right stand the lines' labels
INK, FAINT = "#1f2328", "#d8dee4"
STYLES = {"upsweep": ("#0072B2", 3.0, ""), "peer": ("#D55E00", 2.0, ""), "peer2": ("#AA4499", 2.0, ""),
          "peer3": ("#009E73", 2.0, ""), "peer4": ("#B8860B", 2.0, ""), "peer5": ("#882255", 2.0, ""),
          "peer6": ("#117733", 2.0, ""), "peer7": ("#661100", 2.0, ""), "planned": ("#56B4E9", 2.5, ""),
          "copy": ("#6e7781", 1.8, "5 4")}
BAR, BAR_COLOURS = 10, ("#0072B2", "#56B4E9")  # a bar's height; the first kind of bar, the second


@dataclass
class Line:
    style: str  # a key of STYLES
    label: str
    points: list  # (log2 of the size, value)


@dataclass
class Panel:
    title: str
    unit: str  # what the y axis shows, and which way is better
    lines: list


@dataclass
class Group:
    """Bars beside each other."""
    name: str
    bars: dict  # kind: value


def text(x, y, words, size=12, anchor="start", colour=INK, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
            f'font-weight="{weight}">{words.replace("&", "&amp;").replace("<", "&lt;")}</text>')


def items(log2n):
    """2^20 as people say it: 1 M."""
    for shift, unit in ((30, " G"), (20, " M"), (10, " K")):
        if log2n >= shift:
            return f"{1 << (log2n - shift)}{unit}"
    return str(1 << log2n)


def nice_step(largest):
    """1, 2 or 5 times a power of ten, so that four to eight steps reach the largest value."""
    power = 10 ** math.floor(math.log10(largest / 4))
    return next(power * m for m in (1, 2, 5, 10) if largest / (power * m) <= 7)


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def spread_out(positions, least=15):
    """Moves label positions apart, keeping their order."""
    order = sorted(range(len(positions)), key=lambda k: positions[k])
    placed = list(positions)
    for before, after in zip(order, order[1:]):
        placed[after] = max(placed[after], placed[before] + least)
    return placed


def panel(p, left):
    xs = [x for line in p.lines for x, _ in line.points]
    x_from, x_to = min(xs), max(xs)
    largest = max(y for line in p.lines for _, y in line.points)
    step = nice_step(largest)
    top = step * math.ceil(largest / step)
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    at_x = lambda x: left + LEFT + width * (x - x_from) / max(1, x_to - x_from)
    at_y = lambda y: TOP + height * (1 - y / top)

    out = [text(left + 18, 28, p.title, 15, weight="600"), text(left + 18, 46, p.unit, 12, colour="#59636e")]
    for k in range(round(top / step) + 1):
        y = at_y(k * step)
        out.append(f'<line x1="{left + LEFT}" y1="{y:.1f}" x2="{left + LEFT + width}" y2="{y:.1f}" stroke="{FAINT}"/>')
        out.append(text(left + LEFT - 8, y + 4, f"{k * step:,.10g}", anchor="end"))
    for x in range(x_from, x_to + 1, 4 if x_to - x_from > 10 else 2):
        out.append(f'<line x1="{at_x(x):.1f}" y1="{TOP + height}" x2="{at_x(x):.1f}" y2="{TOP + height + 5}" stroke="{INK}"/>')
        out.append(text(at_x(x), TOP + height + 20, items(x), anchor="middle"))
    out.append(text(left + LEFT + width / 2, TOP + height + 38, "items", anchor="middle", colour="#59636e"))

    ends = spread_out([at_y(line.points[-1][1]) for line in p.lines])
    for line, label_y in reversed(list(zip(p.lines, ends))):  # ours last, on top
        colour, stroke, dashes = STYLES[line.style]
        path = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in line.points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{stroke}" '
                   f'stroke-linejoin="round"' + (f' stroke-dasharray="{dashes}"' if dashes else "") + "/>")
        if not dashes:
            out += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="{stroke}" fill="{colour}"/>' for x, y in line.points]
        out.append(text(left + LEFT + width + 9, label_y + 4, f"{line.label} {figure(line.points[-1][1])}", 12.5, colour=colour,
                        weight="600" if line.style == "upsweep" else "normal"))
    return out


def svg(width, height, about, body):
    """A white card; `about` stands at its foot and is the text for readers that see no picture."""
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
            f"<title>{about}</title>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" fill="#ffffff" stroke="#d0d7de"/>']
    return "\n".join(head + body + [text(18, height - 14, about, 11.5, colour="#59636e"), "</svg>"]) + "\n"


def chart(panels, about):
    """Panels side by side."""
    body = [part for k, p in enumerate(panels) for part in panel(p, k * (WIDTH + GAP))]
    return svg(len(panels) * WIDTH + (len(panels) - 1) * GAP, HEIGHT + 26, about, body)


def bars(title, unit, groups, about):
    """Ratios as bars from the left, a group below the other, with a line at 1; the last group is the summary."""
    kinds = list(dict.fromkeys(kind for group in groups for kind in group.bars))
    left, right, top, summary_gap = 130, 50, 76, 8
    pitch = BAR * len(kinds) + 8
    width, height = 2 * WIDTH + GAP, top + pitch * len(groups) + summary_gap + 68
    largest = max(value for group in groups for value in group.bars.values())
    step = nice_step(largest)
    end = max(step * math.ceil(largest / step), 1)
    at_x = lambda value: left + (width - left - right) * value / end
    bottom = top + pitch * len(groups) + summary_gap

    out = [text(18, 28, title, 15, weight="600"), text(18, 46, unit, 12, colour="#59636e")]
    for k, kind in enumerate(kinds):
        x = width - right - 90 * (len(kinds) - k)
        out += [f'<rect x="{x}" y="19" width="12" height="{BAR}" fill="{BAR_COLOURS[k]}"/>', text(x + 18, 28, kind)]
    for k in range(round(end / step) + 1):
        x = at_x(k * step)
        out.append(f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{bottom}" stroke="{FAINT}"/>')
        out.append(text(x, bottom + 18, f"{k * step:,.10g}", anchor="middle"))
    figures = []
    for k, group in enumerate(groups):
        is_summary = k == len(groups) - 1
        y = top + pitch * k + (summary_gap if is_summary else 0)
        weight = "600" if is_summary else "normal"
        out.append(text(left - 10, y + BAR * len(kinds) / 2 + 4, group.name, anchor="end", weight=weight))
        for row, kind in enumerate(kinds):
            if kind in group.bars:
                value, from_top = group.bars[kind], y + BAR * row
                out.append(f'<rect x="{left}" y="{from_top}" width="{at_x(value) - left:.1f}" height="{BAR - 1}" '
                           f'fill="{BAR_COLOURS[row]}"/>')
                figures.append(text(at_x(value) + 5, from_top + BAR - 1.5, f"{value:.2f}", 10, weight=weight))
    out.append(f'<line x1="{at_x(1):.1f}" y1="{top - 10}" x2="{at_x(1):.1f}" y2="{bottom}" stroke="{INK}" stroke-width="1.5" '
               'stroke-dasharray="5 4"/>')
    on_white = '<g stroke="#ffffff" stroke-width="3" paint-order="stroke">'  # where the line runs through figures
    return svg(width, height, about, [*out, on_white, *figures, "</g>"])
