import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/types.ts'
import { counted } from '../../lib/counted.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { Money, Time, words } from '../../parts/values.tsx'

interface Props {
  /** The first operations that wait. */
  readonly pending: readonly Schema<'OperationQueueItem'>[]
  /** How many operations wait. */
  readonly total: number
  /** How many change requests wait. */
  readonly changes: number
}

/** What waits for somebody's approval. */
export function Waiting({ pending, total, changes }: Props) {
  return (
    <Section
      title="Waits for approval"
      pad={false}
      actions={
        <Anchor component={Link} to={'/app/operations' as never} size="sm">
          All operations
        </Anchor>
      }
    >
      {pending.length === 0 && changes === 0 ? (
        <Empty title="Nothing waits for you">
          Operations that your approval policy stops appear here, with the rule that stopped them.
        </Empty>
      ) : (
        <Stack gap={0}>
          {pending.map((each) => (
            <Group key={each.id} justify="space-between" px="md" py="xs" className="table-foot">
              <Group gap="sm">
                <Anchor component={Link} to={'/app/operations' as never} search={{ open: each.id } as never}>
                  {words(each.type)}
                </Anchor>
                <Money amount={each.amount} token={each.token} />
                <Text size="sm" c="dimmed">
                  <Time iso={each.createdAt} />
                </Text>
              </Group>
              <Button
                size="compact-sm"
                variant="default"
                component={Link}
                to={'/app/operations' as never}
                search={{ open: each.id } as never}
              >
                Review
              </Button>
            </Group>
          ))}
          {total > pending.length && (
            <Group px="md" py="xs" className="table-foot">
              <Anchor component={Link} to={'/app/operations' as never} search={{ status: 'PENDING_APPROVAL' } as never}>
                {total - pending.length} more to decide
              </Anchor>
            </Group>
          )}
          {changes > 0 && (
            <Group px="md" py="xs" className="table-foot">
              <Anchor component={Link} to={'/app/changes' as never}>
                {counted(changes, 'change request')} to decide
              </Anchor>
            </Group>
          )}
        </Stack>
      )}
    </Section>
  )
}
