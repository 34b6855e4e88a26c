import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/features/admin/adminApi.tsx';
import { copyText } from '#client/features/admin/copyText.ts';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field, FieldError } from '#client/ui/Field.tsx';
import { adminWords } from '#shared/adminWords.ts';
import { scopeWords, tokenWords } from '#shared/settingsWords.ts';
import { tokenScopes } from '#shared/staff.ts';
import { ActionForm, textOf } from './ActionForm.tsx';

interface NewTokenProps {
  open: boolean;
  onClose: () => void;
}

/** Makes a token and shows it, once; closing the dialog forgets it. */
export function NewTokenDialog({ open, onClose }: NewTokenProps) {
  return (
    <Dialog open={open} onClose={onClose} title={tokenWords.add}>
      <NewToken onClose={onClose} />
    </Dialog>
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  const utils = adminApi.useUtils();
  // Kept by this dialog alone: not by the mutation, whose result would outlive it.
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const create = adminApi.apiTokens.create.useMutation({ gcTime: 0 });
  if (made !== null) return <MadeToken {...made} onDone={onClose} />;
  return (
    <ActionForm
      submitLabel={tokenWords.make}
      onCancel={onClose}
      act={async (data) => {
        const scopes = tokenScopes.filter((scope) => data.getAll('scopes').includes(scope));
        const { token: secret, created } = await create.mutateAsync({ name: textOf(data, 'name'), scopes });
        await utils.apiTokens.list.invalidate();
        setMade({ name: created.name, token: secret });
      }}
    >
      {(errors) => (
        <>
          <Field
            label={tokenWords.columns.name}
            name="name"
            autoComplete="off"
            maxLength={100}
            error={errors['name']}
          />
          <fieldset>
            <Legend>{tokenWords.scopes}</Legend>
            {tokenScopes.map((scope) => (
              <Checkbox
                key={scope}
                id={`scope-${scope}`}
                name="scopes"
                value={scope}
                label={
                  <>
                    <code>{scope}</code>: {scopeWords[scope]}
                  </>
                }
              />
            ))}
            <FieldError id="scopes-error" message={errors['scopes']} />
          </fieldset>
        </>
      )}
    </ActionForm>
  );
}

function MadeToken({ name, token: secret, onDone }: { name: string; token: string; onDone: () => void }) {
  const title = useRef<HTMLParagraphElement>(null);
  /** Null until it is tried. */
  const [isCopied, setIsCopied] = useState<boolean | null>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Made>
      <p ref={title} tabIndex={-1}>
        <strong>{tokenWords.made(name)}</strong> {tokenWords.onlyTime}
      </p>
      <Secret>{secret}</Secret>
      <NotCopied>{isCopied === false ? adminWords.notCopied : ''}</NotCopied>
      <Actions>
        <Button variant="secondary" onClick={() => void copyText(secret).then(setIsCopied)}>
          {isCopied === true ? tokenWords.copied : tokenWords.copy}
        </Button>
        <Button onClick={onDone}>{tokenWords.done}</Button>
      </Actions>
    </Made>
  );
}

const Legend = styled.legend`
  padding: 0;
  font-weight: 600;
`;

const Made = styled.div`
  display: grid;
  gap: 1rem;
`;

const Secret = styled.code`
  padding: 0.75rem 1rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  overflow-wrap: anywhere;
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
