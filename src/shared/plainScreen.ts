/** A screen of one question and one answer, drawn on the server alone: it loads no script and is in no page's code. */
export interface PlainScreenProps {
  withdraw: { state: 'ask' | 'done' | 'unknown' | 'failed'; contactEmail: string };
}

export type PlainScreenName = keyof PlainScreenProps;

/** The inside of the body, the text of the one style tag, and the window's title. */
export interface DrawnScreen {
  title: string;
  html: string;
  css: string;
}

export type DrawScreen = <Name extends PlainScreenName>(
  name: Name,
  props: PlainScreenProps[Name],
) => DrawnScreen;
