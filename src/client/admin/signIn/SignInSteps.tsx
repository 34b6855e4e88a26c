import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { trpcClient } from '#client/api/trpc.ts';
import { Button } from '#client/ui/Button.tsx';
import { DialogActions } from '#client/ui/ModalContent.tsx';
import type { SignInStep } from '#shared/admin/secondFactor.ts';
import type { StaffMember } from '#shared/admin/staff.ts';
import { CodeField, SecondFactorSetUp } from './SecondFactorSetUp.tsx';
import { factorCopy, gateCopy } from './copy.ts';

interface SignInStepsProps {
  step: SignInStep;
  onSignedIn: (member: StaffMember) => void;
  onCancel: () => void;
}

const { signInStep } = trpcClient.admin;

/** What is left of a sign-in after the password: the code, or setting up two-factor sign-in. */
export function SignInSteps({ step, onSignedIn, onCancel }: SignInStepsProps) {
  const [member, setMember] = useState<StaffMember | null>(null);
  if (step === 'code')
    return (
      <InPage>
        <EnterCode onSignedIn={onSignedIn} onCancel={onCancel} />
      </InPage>
    );
  return (
    <InPage>
      {member === null ? <p>{factorCopy.required}</p> : null}
      <SecondFactorSetUp
        start={() => signInStep.start.mutate()}
        finish={async (input) => {
          const done = await signInStep.finish.mutate(input);
          setMember(done.member);
          return done.recoveryCodes;
        }}
        onDone={() => (member === null ? undefined : onSignedIn(member))}
        onCancel={onCancel}
      />
    </InPage>
  );
}

/** The buttons stay below the form: at the edge of the window they would cover its field. */
const InPage = styled.div`
  display: grid;
  gap: 1rem;

  & ${DialogActions} {
    position: static;
  }
`;

function EnterCode({ onSignedIn, onCancel }: Omit<SignInStepsProps, 'step'>) {
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <ActionForm
      submitLabel={gateCopy.signIn}
      onClose={onCancel}
      act={async (data) => onSignedIn(await signInStep.enterCode.mutate({ code: toText(data, 'code') }))}
    >
      {(errors) => (
        <>
          <p>{isRecovery ? factorCopy.recoveryLead : factorCopy.codeLead}</p>
          <CodeField key={String(isRecovery)} error={errors['code']} isRecovery={isRecovery} />
          <Button variant="quiet" onClick={() => setIsRecovery(!isRecovery)}>
            {isRecovery ? factorCopy.useApp : factorCopy.useRecovery}
          </Button>
        </>
      )}
    </ActionForm>
  );
}
