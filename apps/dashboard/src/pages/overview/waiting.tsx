import { Box, Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Answer, ApiError } from '../../api/client.ts'
import type { Data } from '../../api/types.ts'
import { refusalOf } from '../../api/use-api.ts'
import { counted } from '../../lib/text/counted.ts'
import { Empty, Outdated, Problem, Section } from '../../parts/frame/page.tsx'
import { LightGroup, LightText, PageLink } from '../../parts/light.tsx'
import { Money, Time, words } from '../../parts/values.tsx'

interface Props {
  readonly awaiting: UseQueryResult<Answer<Data<'getOperationQueue'>>, ApiError>
  readonly changes: UseQueryResult<Answer<Data<'listChangeRequests'>>, ApiError>
}

/** What waits for somebody's approval. What could not be read is no "nothing". */
export function Waiting({ awaiting, changes }: Props) {
  const pending = awaiting.data?.data.intents ?? []
  const total = awaiting.data?.total ?? 0
  const changeCount = changes.data?.data.pagination.total ?? 0
  const isRead = awaiting.data !== undefined && changes.data !== undefined
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
      <Unread query={awaiting} />
      <Unread query={changes} />
      {isRead && pending.length === 0 && changeCount === 0 ? (
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
          {changeCount > 0 && (
            <LightGroup className="table-foot table-line">
              <PageLink to="/app/changes">{counted(changeCount, 'change request')} to decide</PageLink>
            </LightGroup>
          )}
        </div>
      )}
    </Section>
  )
}

/** That a part could not be read, or not again. */
function Unread({ query }: { readonly query: UseQueryResult<unknown, ApiError> }) {
  const refusal = refusalOf(query)
  if (refusal === null || query.data !== undefined) return <Outdated query={query} />
  return (
    <Box p="md">
      <Problem error={refusal} retry={query.isFetching ? undefined : () => void query.refetch()} />
    </Box>
  )
}
