import { styled } from 'styled-components';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { LongCell, Muted, Stack } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { CircleAlert, CircleCheck, Info } from '#client/ui/Icon.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import type { DnsRecord, DomainCheck, DomainFinding } from '#shared/providers/domainCheck.ts';
import { providerCopy } from './copy.ts';
import { useState } from 'react';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { copyText } from '#client/admin/kit/text.ts';
import { Table } from '#client/ui/Table.tsx';
import { adminCopy } from '#shared/admin/copy.ts';

const copy = providerCopy.domain;

/** Checks whether a provider's domain works, and shows the records to set if it does not. */
export function ProviderDomain({
  provider: { id, domain },
}: {
  provider: Pick<AdminProvider, 'id' | 'domain'>;
}) {
  const { data, error, isPending, mutate } = adminApi.admin.providers.checkDomain.useMutation();
  const isFirst = data === undefined && error === null;
  return (
    <Panel>
      <p>{domain === null ? copy.none : copy.intro(domain)}</p>
      <div>
        {/* Not disabled during a check: it would lose the focus. */}
        <CheckButton
          variant={isFirst ? 'primary' : 'secondary'}
          aria-disabled={isPending}
          onClick={() => (isPending ? undefined : mutate({ id }))}
        >
          {isPending ? copy.checking : isFirst ? copy.start : copy.again}
        </CheckButton>
      </div>
      <Summary>{isPending ? copy.checking : data === undefined ? '' : buildSummary(data)}</Summary>
      <LoadFailure error={error} fallback={copy.failed} onRetry={null} />
      {data === undefined ? null : <Findings check={data} />}
    </Panel>
  );
}

function buildSummary({ dns, page }: DomainCheck): string {
  const states = [dns.state, page.state];
  if (states.includes('wrong')) return copy.notFine;
  return states.includes('unknown') ? copy.unknown : copy.fine;
}

function Findings({ check: { dns, page, records } }: { check: DomainCheck }) {
  return (
    <>
      <Stack as="ul" aria-label={copy.findings}>
        <Finding part={copy.parts.dns} finding={dns} />
        <Finding part={copy.parts.page} finding={page} />
      </Stack>
      {records.length === 0 ? null : <DnsRecords records={records} />}
    </>
  );
}

const icons = { ok: CircleCheck, wrong: CircleAlert, unknown: Info } as const;

function Finding({ part, finding: { state, text } }: { part: string; finding: DomainFinding }) {
  const StateIcon = icons[state];
  return (
    <Item data-state={state}>
      <Mark $state={state}>
        <StateIcon />
      </Mark>
      <div>
        <strong>{part}</strong>
        {': '}
        <Mark as="span" $state={state}>
          {copy.states[state]}
        </Mark>
        <p>{text}</p>
      </div>
    </Item>
  );
}

const stateColors = { ok: token.success, wrong: token.danger, unknown: token.muted } as const;

const Panel = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
  overflow-wrap: anywhere;
`;

const CheckButton = styled(Button)`
  &[aria-disabled='true'] {
    cursor: progress;
    opacity: 0.65;
  }
`;

/** A change is announced. The button shows the first of these texts, too. */
const Summary = styled.output`
  min-block-size: 1.5em;
  color: ${token.primary};
  font-weight: 600;
`;

const Item = styled.li`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.75rem;
  line-height: 1.45;
`;

const Mark = styled.div<{ $state: DomainFinding['state'] }>`
  color: ${({ $state }) => stateColors[$state]};
  font-weight: 600;

  & > svg {
    inline-size: 1.25rem;
  }
`;

/** The records that a domain needs, with buttons that copy their values. */
function DnsRecords({ records }: { records: readonly DnsRecord[] }) {
  const [outcome, setOutcome] = useState('');
  const copyValue = (value: string): void =>
    void copyText(value).then((isCopied) => setOutcome(isCopied ? copy.copied(value) : adminCopy.notCopied));
  return (
    <Stack $gap="0.5rem">
      <Title>{copy.records}</Title>
      <DataTable
        caption={copy.records}
        columns={recordColumns(copyValue)}
        rows={records.map((record): RecordRow => ({ ...record, id: `${record.type} ${record.value}` }))}
        as={Records}
      />
      <Muted as="output" $size="0.875rem">
        {outcome}
      </Muted>
    </Stack>
  );
}

interface RecordRow extends DnsRecord {
  id: string;
}

function recordColumns(onCopy: (value: string) => void): Column<RecordRow>[] {
  const { columns } = copy;
  return [
    { key: 'type', header: columns.type, cell: ({ type }) => type },
    { key: 'name', header: columns.name, Cell: LongCell, cell: ({ name }) => name },
    { key: 'value', header: columns.value, Cell: LongCell, cell: ({ value }) => <code>{value}</code> },
    {
      key: 'copy',
      header: copy.copy,
      isHeaderHidden: true,
      cell: ({ type, value }) => (
        <ActionButton variant="quiet" aria-label={copy.copyLabel(type, value)} onClick={() => onCopy(value)}>
          {copy.copy}
        </ActionButton>
      ),
    },
  ];
}

const Title = styled.h4``;

const Records = styled(Table)`
  overflow-wrap: normal;

  & code {
    user-select: all;
  }
`;
