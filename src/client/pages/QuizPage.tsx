import { Container } from '#client/ui/Section.tsx';

export function QuizPage() {
  return (
    <Container>
      <h1>What’s your zip code?</h1>
    </Container>
  );
}
