/** An address that, where it is too long for a line, breaks before a sign instead of inside a word. */
export function Breakable({ text, before }: { text: string; before: '@' | '.' }) {
  const at = text.indexOf(before, 1);
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      <Breakable text={text.slice(at)} before={before} />
    </>
  );
}
