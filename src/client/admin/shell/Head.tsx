import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Link, useSearchParams } from 'wouter';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { gateCopy } from '#client/admin/signIn/copy.ts';
import { media, token } from '#client/theme/tokens.ts';
import { IconButton } from '#client/ui/Button.tsx';
import { Ellipsis, Search, UserRound } from '#client/ui/Icon.tsx';
import { Menu } from '#client/ui/Menu.tsx';
import { hiddenLook, VisuallyHidden } from '#client/ui/Section.tsx';
import { adminCopy, paletteCopy } from '#shared/admin/copy.ts';
import { dashboardTitle } from '#shared/pages/paths.ts';
import { useHasNoMail } from './tabs.ts';
import type { Command } from './useCommands.tsx';

interface HeadProps {
  commands: readonly Command[];
  onPalette: () => void;
}

/** The line above every tab: the title, what can be done on each of them, and the account. */
export function Head({ commands, onPalette }: HeadProps) {
  const shown = commands.filter(({ isOwn }) => isOwn !== true);
  return (
    <Line>
      <Title>{dashboardTitle}</Title>
      <NoMail />
      <Quiet type="button" aria-label={paletteCopy.open} title={paletteCopy.hint} onClick={onPalette}>
        <Search />
      </Quiet>
      <Actions commands={shown} />
      <AccountMenu commands={commands} />
    </Line>
  );
}

/** Says that no email is sent, on every tab: what is "sent" or "delivered" stays here. */
function NoMail() {
  const [params] = useSearchParams();
  if (!useHasNoMail()) return null;
  const next = new URLSearchParams(params);
  next.set('tab', 'outbox');
  return (
    <NoMailLink href={`?${next}`} title={adminCopy.tabs.noMailHint}>
      {adminCopy.tabs.noMail}
    </NoMailLink>
  );
}

/** Where they have no room beside the title they are folded, until their button is pressed or one of them gets the focus. */
function Actions({ commands }: { commands: readonly Command[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const [panelId, hintId] = [useId(), useId()];
  return (
    <Folding
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key !== 'Escape' || !isOpen) return;
        setIsOpen(false);
        toggle.current?.focus();
      }}
    >
      <Toggle
        ref={toggle}
        type="button"
        aria-label={adminCopy.actions}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Ellipsis />
      </Toggle>
      <Panel id={panelId} data-open={isOpen ? '' : undefined}>
        {commands.map(({ key, label, icon, hint, isDisabled, isGray, run }) =>
          key === 'help' ? (
            <Help key={key} variant="quiet" title={label} onClick={run}>
              {icon}
              <span>{label}</span>
            </Help>
          ) : (
            <Compact
              key={key}
              variant="quiet"
              title={hint}
              disabled={isDisabled}
              aria-disabled={isGray === true ? true : undefined}
              aria-describedby={key === 'sync' ? undefined : hintId}
              onClick={run}
            >
              {icon}
              {label}
            </Compact>
          ),
        )}
        <VisuallyHidden id={hintId}>{adminCopy.spreadsheetHint}</VisuallyHidden>
      </Panel>
    </Folding>
  );
}

function AccountMenu({ commands }: { commands: readonly Command[] }) {
  const { name, role } = useStaff();
  const text = gateCopy.signedInAs(name, role);
  const items = commands.filter(({ key, isOwn }) => key === 'help' || isOwn === true);
  return (
    <Menu
      label={text}
      trigger={
        <Quiet type="button" title={text}>
          <UserRound />
          <VisuallyHidden>{text}</VisuallyHidden>
        </Quiet>
      }
      items={items.map(({ run, ...item }) => ({ ...item, onSelect: run }))}
    />
  );
}

const Line = styled.header`
  position: relative;
  z-index: 2;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 0.25rem;
  min-block-size: 3.5rem;
`;

const Title = styled.h1`
  flex: 1;
  min-inline-size: 0;
  font-size: 1.25rem;
  white-space: nowrap;
`;

/** On a phone, a line of its own. */
const NoMailLink = styled(Link)`
  padding-inline: 0.75rem;
  color: ${token.danger};
  font-size: 0.8125rem;
  font-weight: 600;
  line-height: 1.5rem;

  ${media.touch} {
    padding-block: 0.625rem;
  }

  @media (max-width: 47.99em) {
    flex: 1 0 100%;
    order: 1;
    padding-inline: 0;
  }
`;

const Quiet = styled(IconButton)`
  color: ${token.ink};

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.25rem;
  }
`;

/** From here, the title and all buttons fit beside the tabs. */
const roomy = '@media (min-width: 72em)';
const folded = '@media (max-width: 71.99em)';

const Toggle = styled(Quiet)`
  ${roomy} {
    display: none;
  }
`;

const Folding = styled.div`
  display: contents;
`;

const Panel = styled.div`
  display: flex;
  align-items: center;
  gap: 0.25rem;

  ${folded} {
    flex: 1 0 100%;
    flex-wrap: wrap;
    order: 1;
    padding-block-end: 0.5rem;

    /* Assistive technology finds the buttons also while they are folded. */
    &:not([data-open], :focus-within) {
      position: absolute;
      inset: 0 auto auto 0;
      clip-path: inset(50%);
    }
  }
`;

const Compact = styled(ActionButton)`
  color: ${token.ink};
  font-weight: 500;

  ${folded} {
    min-block-size: 2.75rem;
  }
`;

/** Only an icon, where there is a line. */
const Help = styled(Compact)`
  ${roomy} {
    inline-size: 2.75rem;
    min-block-size: 2.75rem;
    padding: 0;

    & > span {
      ${hiddenLook}
    }
  }
`;
