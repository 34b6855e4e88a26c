/** Below this, a body of any shape is parsed in milliseconds. */
const checkedLengthMin = 64 * 1024;
const depthMax = 100;
const containersMax = 250_000;

const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Whether a JSON text is nested deeper than 100 levels or has more than 250,000 objects and lists. `JSON.parse` is one
 * step that blocks the process, for seconds with megabytes of brackets; looking first takes 10 ms a megabyte.
 */
export function isExcessiveJson(text: string): boolean {
  if (text.length < checkedLengthMin) return false;
  let [depth, containers, isInString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (opening.has(code)) {
      depth += 1;
      containers += 1;
      if (depth > depthMax || containers > containersMax) return true;
    } else if (closing.has(code)) depth -= 1;
  }
  return false;
}
