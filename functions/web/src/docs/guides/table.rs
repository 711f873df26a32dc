//! Tables of guides. On a narrow screen rows are stacked, with the column's name before each cell except the first.
//! That removes the implicit table roles, so they are explicit.

use maud::{Markup, html};
use pulldown_cmark::{Event, Tag, TagEnd};

use super::events::{plain, rendered, until};

/// The table of the events between its start and its end.
pub(super) fn table(events: Vec<Event<'_>>) -> Markup {
    let mut rows: Vec<Vec<(String, Markup)>> = Vec::new();
    let mut events = events.into_iter();
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                let cell = until(&mut events, |end| matches!(end, TagEnd::TableCell));
                let cell = (plain(&cell), rendered(cell));
                if let Some(row) = rows.last_mut() {
                    row.push(cell);
                }
            }
            _ => {}
        }
    }
    let Some((head, body)) = rows.split_first() else { return html! {} };
    html! {
        table role="table" {
            thead role="rowgroup" {
                tr role="row" { @for (_, cell) in head { th role="columnheader" scope="col" { (cell) } } }
            }
            tbody role="rowgroup" {
                @for row in body {
                    tr role="row" {
                        @for (index, ((name, _), (_, cell))) in head.iter().zip(row).enumerate() {
                            // end tags of cells are optional (HTML, 13.1.2.4): the page of all fields has 600 cells
                            td role="cell" data-label=[(index > 0).then_some(name)]; (cell)
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::docs::guides::render::page;

    #[test]
    fn every_cell_but_the_first_bears_its_column_s_name() {
        let shown = page("| `a` | b |\n|---|---:|\n| 1 | *2* |\n| 3 | |\n").body.into_string();
        let expected = "<table role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">\
            <th role=\"columnheader\" scope=\"col\"><code>a</code></th><th role=\"columnheader\" scope=\"col\">b</th></tr></thead>\
            <tbody role=\"rowgroup\">\
            <tr role=\"row\"><td role=\"cell\">1<td role=\"cell\" data-label=\"b\"><em>2</em></tr>\
            <tr role=\"row\"><td role=\"cell\">3<td role=\"cell\" data-label=\"b\"></tr>\
            </tbody></table>";
        assert_eq!(shown, expected);
    }
}
