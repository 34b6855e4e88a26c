import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { reportDone } from '#client/admin/kit/reports.ts';
import { Button } from '#client/ui/Button.tsx';
import { DialogActions } from '#client/ui/ModalContent.tsx';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';
import { factorCopy } from './copy.ts';

/** The account's own two-factor sign-in, in a dialog of the account menu. */
export function OwnFactor({ onClose }: { onClose: () => void }) {
  const own = adminApi.admin.secondFactor.own.useQuery(undefined, { refetchOnMount: 'always' });
  const start = adminApi.admin.secondFactor.start.useMutation();
  const finish = adminApi.admin.secondFactor.finish.useMutation();
  const turnOff = adminApi.admin.secondFactor.turnOff.useMutation();
  const [act, setAct] = useState<'set-up' | 'turn-off' | null>(null);
  if (act === 'set-up') {
    return (
      <SecondFactorSetUp
        start={() => start.mutateAsync()}
        finish={async (input) => (await finish.mutateAsync(input)).recoveryCodes}
        onDone={() => {
          onClose();
          reportDone(factorCopy.turnedOn);
        }}
        onCancel={onClose}
      />
    );
  }
  if (act === 'turn-off') {
    return (
      <ActionForm
        note={factorCopy.turnOffNote}
        submitLabel={factorCopy.turnOff}
        isDangerous
        onClose={onClose}
        act={() => turnOff.mutateAsync()}
        done={() => factorCopy.turnedOff}
      />
    );
  }
  if (own.data === undefined)
    return <output>{own.error === null ? factorCopy.loading : factorCopy.failed}</output>;
  const { recoveryCodesLeft: left, isRequired, isPossible } = own.data;
  if (!isPossible) return <p>{factorCopy.sharedPassword}</p>;
  return (
    <Stack>
      <p>{left === null ? factorCopy.off : factorCopy.on(left)}</p>
      {left !== null && isRequired ? <p>{factorCopy.staysOn}</p> : null}
      <DialogActions>
        {left === null || isRequired ? null : (
          <Button variant="secondary" onClick={() => setAct('turn-off')}>
            {factorCopy.turnOff}
          </Button>
        )}
        <Button onClick={() => setAct('set-up')}>
          {left === null ? factorCopy.setUp : factorCopy.setUpAgain}
        </Button>
      </DialogActions>
    </Stack>
  );
}
