import { Container } from '#client/ui/Section.tsx';

export function RecruitmentPage() {
  return (
    <Container>
      <h1>Become a Provider</h1>
    </Container>
  );
}
