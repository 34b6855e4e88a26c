import { type ReactNode, useState } from 'react';
import { css, styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { ChevronDown } from '#client/ui/Icon.tsx';

interface AccordionItem {
  /** `item-0`, `item-1`, …; also the id of the item in the page. */
  id: string;
  title: string;
  content: ReactNode;
}

/**
 * At most one item open, and it can be closed. Every answer is in the server's HTML; where scripts don't run all of
 * them are shown, by a media query, so nothing moves where they do.
 */
export function Accordion({ items }: { items: readonly AccordionItem[] }) {
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <List>
      {items.map(({ id, title, content }) => {
        const open = openId === id;
        return (
          <Item key={id} id={id}>
            <Heading>
              <Trigger
                type="button"
                id={`${id}-button`}
                aria-expanded={open}
                aria-controls={`${id}-panel`}
                onClick={() => setOpenId(open ? null : id)}
              >
                {title}
                <ChevronDown />
              </Trigger>
            </Heading>
            <Panel id={`${id}-panel`} aria-labelledby={`${id}-button`} $open={open}>
              {content}
            </Panel>
          </Item>
        );
      })}
    </List>
  );
}

const List = styled.div`
  border-block-start: 1px solid var(--surface-line);
`;

const Item = styled.div`
  border-block-end: 1px solid var(--surface-line);
`;

const Heading = styled.h3`
  font-size: 1.25rem;
  line-height: 1.3;
`;

const Trigger = styled.button`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1.5rem;
  inline-size: 100%;
  min-block-size: 2.75rem;
  padding: 0.875rem 0;
  border: 0;
  background: none;
  color: var(--surface-heading);
  text-align: start;
  cursor: pointer;

  &:hover {
    color: var(--surface-link);
  }

  &:focus-visible {
    border-radius: 4px;
    outline: 2px solid var(--focus);
    outline-offset: 2px;
  }

  & > svg {
    flex: none;
    inline-size: 1.25rem;
    transition: transform ${token.transition};
  }

  &[aria-expanded='true'] > svg {
    transform: rotate(180deg);
  }

  @media (scripting: none) {
    & > svg {
      display: none;
    }
  }
`;

const closedUnlessScriptless = css`
  display: none;

  @media (scripting: none) {
    display: block;
  }
`;

const Panel = styled.section<{ $open: boolean }>`
  max-inline-size: ${token.measure};
  padding-block: 0 1.5rem;
  color: var(--surface-text);

  ${({ $open }) => ($open ? null : closedUnlessScriptless)}
`;
