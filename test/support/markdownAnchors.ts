/** The anchors of a page's headings, as GitHub makes them. Lines in code blocks are no headings. */
export function markdownAnchors(markdown: string): string[] {
  const withoutCode = markdown.replace(/^( *)(`{3,}).*\n[^]*?^\1\2$/gm, '');
  return [...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
