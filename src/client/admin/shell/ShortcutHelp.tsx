import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { shortcutCopy } from '#shared/admin/copy.ts';

interface ShortcutHelpProps {
  isOpen: boolean;
  onClose: () => void;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

const keys = [
  ['/', shortcutCopy.search],
  ['[', shortcutCopy.previous],
  [']', shortcutCopy.next],
  ['Ctrl+Z', shortcutCopy.undo],
  ['F6', shortcutCopy.message],
  ['?', shortcutCopy.help],
  ['Esc', shortcutCopy.escape],
] as const;

export function ShortcutHelp({ isOpen, onClose, isOn, onSwitch }: ShortcutHelpProps) {
  return (
    <Dialog open={isOpen} onClose={onClose} title={shortcutCopy.title}>
      <List>
        {keys.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <Key>{key}</Key>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </List>
      <Checkbox
        name="shortcuts"
        label={shortcutCopy.toggle}
        checked={isOn}
        onChange={(event) => onSwitch(event.target.checked)}
      />
    </Dialog>
  );
}

const List = styled.dl`
  display: grid;
  gap: 0.5rem;
  margin-block-end: 1rem;

  & > div {
    display: grid;
    grid-template-columns: 5rem 1fr;
    align-items: center;
  }

  & dd {
    margin: 0;
  }
`;

const Key = styled.kbd`
  display: inline-block;
  min-inline-size: 2rem;
  padding: 0.125rem 0.5rem;
  border: 1px solid ${token.inputLine};
  border-radius: 6px;
  background: ${token.tint};
  font: inherit;
  font-size: 0.875rem;
  font-weight: 600;
  text-align: center;
`;
