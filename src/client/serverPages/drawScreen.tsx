import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { ServerStyleSheet } from 'styled-components';
import { outcome } from '#shared/brand/outcome.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import type { DrawnScreen, PlainScreenName, PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { OutcomeScreen } from './OutcomeScreen.tsx';
import { PlainFrame } from './PlainFrame.tsx';
import { WithdrawScreen } from './WithdrawScreen.tsx';

type Screens = {
  [Name in PlainScreenName]: (props: PlainScreenProps[Name]) => { title: string; element: ReactElement };
};

const screens: Screens = {
  outcome: (props) => ({ title: outcome.windowTitle, element: <OutcomeScreen {...props} /> }),
  withdraw: (props) => ({ title: withdraw.windowTitle, element: <WithdrawScreen {...props} /> }),
};

/** Draws a screen in the brand's look, without anything that a script would have to bring to life. */
export function drawScreen<Name extends PlainScreenName>(
  name: Name,
  props: PlainScreenProps[Name],
): DrawnScreen {
  const { title, element } = screens[name](props);
  const sheet = new ServerStyleSheet();
  try {
    const html = renderToString(sheet.collectStyles(<PlainFrame>{element}</PlainFrame>));
    return { title, html, css: sheet.getStyleTags().replaceAll(/<\/?style[^>]*>/g, '') };
  } finally {
    sheet.seal();
  }
}
