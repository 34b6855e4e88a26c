import { useState } from 'react';
import { styled } from 'styled-components';
import { copyText } from '#client/admin/kit/text.ts';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
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
    <Layout>
      <Title>{domainCopy.records}</Title>
      <DataTable
        caption={domainCopy.records}
        columns={recordColumns(copy)}
        rows={records.map((record): RecordRow => ({ ...record, id: `${record.type} ${record.value}` }))}
        as={Records}
      />
      <Outcome>{outcome}</Outcome>
    </Layout>
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
        <Button
          variant="quiet"
          size="small"
          aria-label={domainCopy.copyLabel(type, value)}
          onClick={() => onCopy(value)}
        >
          {domainCopy.copy}
        </Button>
      ),
    },
  ];
}

const Layout = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.5rem;
`;

const Title = styled.h3`
  font-weight: 700;
`;

const Records = styled(Table)`
  overflow-wrap: normal;

  & code {
    user-select: all;
  }
`;

/** Names and addresses have no spaces to break at. */
const LongCell = styled.td`
  overflow-wrap: anywhere;
`;

const Outcome = styled.output`
  color: ${token.muted};
  font-size: 0.875rem;
`;
