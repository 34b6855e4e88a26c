import { useState } from 'react';
import { styled } from 'styled-components';
import { useStaff } from '#client/features/adminGate/staffContext.tsx';
import { AuditTab } from '#client/features/adminSettings/AuditTab.tsx';
import { TeamTab } from '#client/features/adminSettings/TeamTab.tsx';
import { TokensTab } from '#client/features/adminSettings/TokensTab.tsx';
import { token } from '#client/theme/tokens.ts';
import { Tabs } from '#client/ui/Tabs.tsx';
import { gateWords, ownerTabs } from '#shared/staffWords.ts';

const rooms = { team: TeamTab, tokens: TokensTab, audit: AuditTab } as const;

/** The staff's dashboard: its title with what can be pressed beside it, and the rooms that whoever is signed in may enter. */
export function Dashboard() {
  const { role } = useStaff();
  const [current, setCurrent] = useState<keyof typeof rooms>('team');
  const Room = rooms[current];
  return (
    <>
      <TitleRow>
        <Title>{gateWords.title}</Title>
      </TitleRow>
      {role === 'owner' ? (
        <Tabs label={gateWords.title} tabs={ownerTabs} current={current} onChoose={setCurrent}>
          <Room />
        </Tabs>
      ) : null}
    </>
  );
}

const TitleRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
  margin-block: 1.5rem 1rem;
`;

const Title = styled.h1`
  font-size: ${token.title};
`;
