import { token } from './tokens.ts';

/** The colors of content on a light background, such as the page's own. */
export const lightSurface = `
  --surface-text: ${token.foreground};
  --surface-heading: ${token.primary};
  --surface-muted: ${token.muted};
  --surface-link: ${token.secondary};
  --surface-line: ${token.line};
  --surface-danger: ${token.danger};
  --surface-accent: ${token.secondary};
  --action: ${token.primary};
  --action-text: #ffffff;
  --action-hover: ${token.secondary};
  --focus: ${token.accent};
`;

/** The same for a dark background. */
export const darkSurface = `
  --surface-text: rgb(255 255 255 / 0.9);
  --surface-heading: #ffffff;
  --surface-muted: rgb(255 255 255 / 0.78);
  --surface-link: #ffffff;
  --surface-line: rgb(255 255 255 / 0.22);
  --surface-danger: #ffd9d6;
  --surface-accent: #ffffff;
  --action: #ffffff;
  --action-text: ${token.primary};
  --action-hover: ${token.line};
  --focus: #ffffff;
`;
