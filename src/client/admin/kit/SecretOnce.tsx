import { type ReactNode, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { ActionForm, type ActionFormProps } from './ActionForm.tsx';
import { secretCopy } from './copy.ts';
import { Stack } from './layout.tsx';
import { copyText } from './text.ts';

interface ShownOnceProps {
  secret: string;
  onDone: () => void;
  /** Names the secret and says that it is shown only once. */
  children: ReactNode;
}

/** A secret with a button that copies it. The caller stores it nowhere else. */
export function SecretOnce({ secret, onDone, children }: ShownOnceProps) {
  const title = useRef<HTMLParagraphElement>(null);
  /** Null before the first attempt. */
  const [isCopied, setIsCopied] = useState<boolean | null>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Stack>
      <p ref={title} tabIndex={-1}>
        {children}
      </p>
      <Secret>{secret}</Secret>
      <NotCopied>{isCopied === false ? adminCopy.notCopied : ''}</NotCopied>
      <Actions>
        <Button variant="secondary" onClick={() => void copyText(secret).then(setIsCopied)}>
          {isCopied === true ? secretCopy.copied : secretCopy.copy}
        </Button>
        <Button onClick={onDone}>{secretCopy.done}</Button>
      </Actions>
    </Stack>
  );
}

type SecretFormProps = Pick<ActionFormProps<void>, 'submitLabel' | 'note' | 'children'> & {
  onClose: () => void;
  /** Makes a secret. `made` says which, above it. */
  act: (data: FormData) => Promise<{ secret: string; made: string }>;
};

/** The form of an action that makes a secret, and then the secret. Closing the dialog forgets it. */
export function SecretForm({ act, onClose, ...form }: SecretFormProps) {
  // Only in this state: a mutation's result would outlive the dialog.
  const [shown, setShown] = useState<{ secret: string; made: string } | null>(null);
  if (shown === null)
    return <ActionForm {...form} onClose={onClose} act={async (data) => setShown(await act(data))} />;
  return (
    <SecretOnce secret={shown.secret} onDone={onClose}>
      <strong>{shown.made}</strong> {secretCopy.onlyTime}
    </SecretOnce>
  );
}

const Secret = styled.code`
  padding: 0.75rem 1rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  overflow-wrap: anywhere;
  white-space: pre-line;
  user-select: all;
`;

const NotCopied = styled.output`
  color: ${token.muted};

  &:empty {
    display: none;
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: 0.5rem;
`;
