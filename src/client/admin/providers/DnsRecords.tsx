import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { LongCell, Muted, Stack } from '#client/admin/kit/layout.tsx';
import { copyText } from '#client/admin/kit/text.ts';
import { Table } from '#client/ui/Table.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import type { DnsRecord } from '#shared/providers/domainCheck.ts';
import { providerCopy } from './copy.ts';

const domainCopy = providerCopy.domain;

/** The records that a domain needs, with buttons that copy their values. */
export function DnsRecords({ records }: { records: readonly DnsRecord[] }) {
  const [outcome, setOutcome] = useState('');
  const copy = (value: string): void =>
    void copyText(value).then((isCopied) =>
      setOutcome(isCopied ? domainCopy.copied(value) : adminCopy.notCopied),
    );
  return (
    <Stack $gap="0.5rem">
      <Title>{domainCopy.records}</Title>
      <DataTable
        caption={domainCopy.records}
        columns={recordColumns(copy)}
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
  const { columns } = domainCopy;
  return [
    { key: 'type', header: columns.type, cell: ({ type }) => type },
    { key: 'name', header: columns.name, Cell: LongCell, cell: ({ name }) => name },
    { key: 'value', header: columns.value, Cell: LongCell, cell: ({ value }) => <code>{value}</code> },
    {
      key: 'copy',
      header: domainCopy.copy,
      isHeaderHidden: true,
      cell: ({ type, value }) => (
        <ActionButton
          variant="quiet"
          aria-label={domainCopy.copyLabel(type, value)}
          onClick={() => onCopy(value)}
        >
          {domainCopy.copy}
        </ActionButton>
      ),
    },
  ];
}

const Title = styled.h3`
  font-weight: 700;
`;

const Records = styled(Table)`
  overflow-wrap: normal;

  & code {
    user-select: all;
  }
`;
