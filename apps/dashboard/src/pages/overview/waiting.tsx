import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/types.ts'
import { counted } from '../../lib/counted.ts'
import { LightGroup, LightText, PageLink } from '../../parts/light.tsx'
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
        <PageLink to="/app/operations" size="sm">
          All operations
        </PageLink>
      }
    >
      {pending.length === 0 && changes === 0 ? (
        <Empty title="Nothing waits for you">
          Operations that your approval policy stops appear here, with the rule that stopped them.
        </Empty>
      ) : (
        <div>
          {pending.map((each) => (
            <LightGroup key={each.id} justify="space-between" className="table-foot table-line">
              <LightGroup gap="sm">
                <PageLink to="/app/operations" search={{ open: each.id }}>
                  {words(each.type)}
                </PageLink>
                <Money amount={each.amount} token={each.token} />
                <LightText size="sm" c="dimmed">
                  <Time iso={each.createdAt} />
                </LightText>
              </LightGroup>
              <Button
                size="compact-sm"
                variant="default"
                component={Link}
                to={'/app/operations' as never}
                search={{ open: each.id } as never}
              >
                Review
              </Button>
            </LightGroup>
          ))}
          {total > pending.length && (
            <LightGroup className="table-foot table-line">
              <PageLink to="/app/operations" search={{ status: 'PENDING_APPROVAL' }}>
                {total - pending.length} more to decide
              </PageLink>
            </LightGroup>
          )}
          {changes > 0 && (
            <LightGroup className="table-foot table-line">
              <PageLink to="/app/changes">{counted(changes, 'change request')} to decide</PageLink>
            </LightGroup>
          )}
        </div>
      )}
    </Section>
  )
}
