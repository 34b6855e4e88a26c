import { useState } from 'react';
import { styled } from 'styled-components';
import { copyText } from '#client/admin/kit/copyText.ts';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { providerCopy } from './copy.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import type { DnsRecord } from '#shared/providers/domainCheck.ts';

const domainCopy = providerCopy.domain;

/** The records a domain needs, to be copied to where it is registered. */
export function DnsRecords({ records }: { records: readonly DnsRecord[] }) {
  const [outcome, setOutcome] = useState('');
  const copy = (value: string): void =>
    void copyText(value).then((isCopied) =>
      setOutcome(isCopied ? domainCopy.copied(value) : adminCopy.notCopied),
    );
  return (
    <section aria-labelledby="dns-records-title">
      <Title id="dns-records-title">{domainCopy.records}</Title>
      <Records>
        <thead>
          <tr>
            <th scope="col">{domainCopy.columns.type}</th>
            <th scope="col">{domainCopy.columns.name}</th>
            <th scope="col">{domainCopy.columns.value}</th>
            <th scope="col">
              <VisuallyHidden>{domainCopy.copy}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ type, name, value }) => (
            <tr key={`${type} ${value}`}>
              <td>{type}</td>
              <Long>{name}</Long>
              <Long>
                <code>{value}</code>
              </Long>
              <td>
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={domainCopy.copyLabel(type, value)}
                  onClick={() => copy(value)}
                >
                  {domainCopy.copy}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </Records>
      <Outcome>{outcome}</Outcome>
    </section>
  );
}

const Title = styled.h3`
  font-weight: 700;
`;

const Records = styled.table`
  inline-size: 100%;
  margin-block-start: 0.5rem;
  border-collapse: collapse;
  font-size: 0.9375rem;
  line-height: 1.35;
  overflow-wrap: normal;

  & th,
  & td {
    padding: 0.375rem 0.5rem 0.375rem 0;
    border-block-end: 1px solid ${token.line};
    text-align: start;
    vertical-align: middle;
  }

  & th {
    color: ${token.muted};
    font-size: 0.8125rem;
    font-weight: 600;
  }

  & td:last-child {
    padding-inline-end: 0;
  }

  & code {
    user-select: all;
  }
`;

/** Names and addresses have no spaces to break at. */
const Long = styled.td`
  overflow-wrap: anywhere;
`;

const Outcome = styled.output`
  color: ${token.muted};
  font-size: 0.875rem;
`;
