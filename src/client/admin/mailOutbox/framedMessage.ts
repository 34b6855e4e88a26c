const styleSheets = /<style\b.*?<\/style>/gis;
const start = /^<!doctype html>/i;

/**
 * A message as the frame shows it. The frame inherits the dashboard's content security policy, which allows style attributes, what messages are
 * drawn with, and no style sheet: the one for dark screens is left out rather than refused. Links open outside the frame.
 */
export function framedMessage(html: string): string {
  return html.replaceAll(styleSheets, '').replace(start, '<!doctype html><base target="_blank">');
}
