import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { SecretOnce } from '#client/admin/kit/SecretOnce.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { failureText } from '#client/admin/kit/reports.ts';
import { toText } from '#client/admin/kit/text.ts';
import { token } from '#client/theme/tokens.ts';
import { Field } from '#client/ui/Field.tsx';
import type { FactorDraft } from '#shared/admin/secondFactor.ts';
import { factorCopy } from './copy.ts';

interface SetUpProps {
  start: () => Promise<FactorDraft>;
  /** Stores it with the app's first code. Returns the recovery codes. */
  finish: (input: { sealed: string; code: string }) => Promise<readonly string[]>;
  /** After the recovery codes were shown. */
  onDone: () => void;
  onCancel: () => void;
}

/** Sets up two-factor sign-in: an app scans the code and shows a first code; then the recovery codes, once. */
export function SecondFactorSetUp({ start, finish, onDone, onCancel }: SetUpProps) {
  const [draft, setDraft] = useState<FactorDraft | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  // Once: each call makes another secret.
  const load = useEffectEvent(() => {
    start().then(setDraft, (error: unknown) => setFailure(failureText(error, factorCopy.failed)));
  });
  useEffect(() => load(), []);
  if (recoveryCodes !== null) {
    return (
      <SecretOnce secret={recoveryCodes.join('\n')} onDone={onDone}>
        {factorCopy.recoveryNote}
      </SecretOnce>
    );
  }
  if (failure !== null) return <p role="alert">{failure}</p>;
  if (draft === null) return <output>{factorCopy.loading}</output>;
  const { sealed } = draft;
  return (
    <ActionForm
      submitLabel={factorCopy.turnOn}
      onClose={onCancel}
      act={async (data) => setRecoveryCodes(await finish({ sealed, code: toText(data, 'code') }))}
    >
      {(errors) => (
        <>
          <p>{factorCopy.scan}</p>
          <Draft draft={draft} />
          <CodeField error={errors['code']} />
        </>
      )}
    </ActionForm>
  );
}

interface CodeFieldProps {
  error: string | undefined;
  isRecovery?: boolean;
  /** If another field of the page has the same name. */
  id?: string;
}

/** The field of an app's code, which the browser or a password manager may fill in. */
export function CodeField({ error, isRecovery = false, id = 'field-code' }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <Field
      ref={input}
      id={id}
      label={isRecovery ? factorCopy.recoveryCode : factorCopy.code}
      name="code"
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      error={error}
    />
  );
}

function Draft({ draft: { qr, secret, uri } }: { draft: FactorDraft }) {
  return (
    <Stack>
      <Qr aria-label={factorCopy.qr} viewBox={`0 0 ${qr.size} ${qr.size}`} shapeRendering="crispEdges">
        <path d={qr.path} />
      </Qr>
      <p>
        {factorCopy.orType} <Secret>{secret.match(/.{1,4}/g)?.join(' ')}</Secret>
      </p>
      <p>
        <a href={uri}>{factorCopy.openApp}</a>
      </p>
    </Stack>
  );
}

/** Dark on white in any theme: scanners need it. */
const Qr = styled.svg.attrs({ role: 'img' })`
  inline-size: min(100%, 13rem);
  background: #ffffff;
  fill: ${token.ink};
`;

const Secret = styled.code`
  overflow-wrap: anywhere;
  user-select: all;
`;
