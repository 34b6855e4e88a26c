/** Elements whose text is not for readers, with the pattern of their end. */
const unread = new Map(
  ['script', 'style', 'template', 'noscript', 'iframe'].map((name) => [
    name,
    new RegExp(`</${name}\\s*>`, 'gi'),
  ]),
);
/** Elements that begin a new line. */
const breaking = new Set(['br', 'p', 'div', 'li']);
const tagName = /\/?([a-z][a-z0-9]*)/iy;
const commentStart = '<!--';

/** The markup at a position: where the text goes on, and what stands in its place. */
interface Markup {
  end: number;
  mark: '' | ' ';
}

/** The position after the next `mark`, or -1. */
function getEnd(mark: string, text: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}

/** The end of an element that begins at `from`: the text's end if it is never closed. */
function elementEnd(closing: RegExp, text: string, from: number): number {
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : text.length;
}

/** The tag, comment or unread element at a `<`. Null for a `<` that is only that; `end` is -1 for markup without end. */
function markupAt(text: string, at: number): Markup | null {
  if (text.startsWith(commentStart, at))
    return { end: getEnd('-->', text, at + commentStart.length), mark: '' };
  tagName.lastIndex = at + 1;
  const name = tagName.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  const closing = text[at + 1] === '/' ? undefined : unread.get(name);
  return closing === undefined
    ? { end: getEnd('>', text, at), mark: breaking.has(name) ? ' ' : '' }
    : { end: elementEnd(closing, text, at), mark: ' ' };
}

/** A text without tags, comments and scripts, in linear time. Markup without an end stays, with all that follows. */
export function withoutMarkup(text: string): string {
  let [kept, from] = ['', 0];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const markup = markupAt(text, at);
    if (markup === null) at += 1;
    else {
      // To look for the end of what follows, again and again, would make the work grow with the square of the length.
      if (markup.end === -1) break;
      kept += text.slice(from, at) + markup.mark;
      from = at = markup.end;
    }
  }
  return kept + text.slice(from);
}
