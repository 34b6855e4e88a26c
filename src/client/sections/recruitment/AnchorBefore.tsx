import type { ReactNode } from 'react';

interface AnchorBeforeProps {
  /** Of a section that isn't shown. */
  id: string;
  /** The section after it. */
  children: ReactNode;
}

/** Keeps the anchor of a section that isn't shown: links to it lead to the section after it, not to an empty place. */
export function AnchorBefore({ id, children }: AnchorBeforeProps) {
  return <div id={id}>{children}</div>;
}
