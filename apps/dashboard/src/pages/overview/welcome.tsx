import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'

export function Welcome() {
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" gap="md">
        <Stack gap={4} maw={560}>
          <Title order={2} size="h4">
            Put 1,000 USDC to work
          </Title>
          <Text size="sm">
            A wallet in this browser, test money from the faucet, a deposit into the strategy that earns the most now,
            thirty days, and the yield. Five steps, each with the request it makes.
          </Text>
        </Stack>
        <Button size="md" component={Link} to={'/app/start' as never}>
          Begin
        </Button>
      </Group>
    </Card>
  )
}
