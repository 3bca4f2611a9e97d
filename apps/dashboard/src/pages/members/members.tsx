import { Button, Group, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { MEMBERS } from '../../api/paths.ts'
import { useMay, useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { textOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { Empty, Page, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { words } from '../../parts/values.tsx'
import { ChangeRole } from './change-role.tsx'
import { EndSessions } from './end-sessions.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { RemoveMember } from './remove.tsx'
import { Security } from './security.tsx'

const ROLES = ['owner', 'admin', 'approver', 'viewer']
const { buttons, shown, text, time } = columnsFor<Schema<'Member'>>()

export function Members() {
  const may = useMay()
  const { user } = useSession()
  const paging = usePaging()
  const [url] = useUrl()
  const path = withQuery(MEMBERS, { q: textOf(url.q), role: ROLES.find((role) => role === url.role) })
  const members = useApi<Schema<'Member'>[]>(paged(path, paging.offset))
  const [adding, setAdding] = useState(false)
  const [changed, setChanged] = useState<Schema<'Member'>>()
  const [removed, setRemoved] = useState<Schema<'Member'>>()
  const [ended, setEnded] = useState<Schema<'Member'>>()
  return (
    <Page
      hasFilters
      title="Members"
      description="People, and what each may do"
      actions={may.administer && <Button onClick={() => setAdding(true)}>Invite a member</Button>}
    >
      <Section
        pad={false}
        title="People"
        actions={
          <>
            <UrlSearch label="Member or email" name="q" />
            <UrlFilter label="Role of members" placeholder="All roles" choices={ROLES} name="role" w={130} />
          </>
        }
      >
        <DataTable
          label="Members"
          path={path}
          query={members}
          rows={bare}
          id={({ id }) => id}
          {...paging}
          columns={[
            shown(
              'Email',
              ({ email, id, role }) => (
                <>
                  <span className="breaks">
                    <EmailAddress of={email} />
                    {id === user.id && ' (you)'}
                  </span>
                  <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
                    {words(role)}
                  </Text>
                </>
              ),
              'email',
            ),
            text('Name', 'name', { wide: true }),
            shown('Role', ({ role }) => words(role), 'role', { wide: true }),
            shown(
              'Address proved',
              ({ emailVerified }) => (emailVerified ? 'Yes' : 'No'),
              ({ emailVerified }) => String(emailVerified),
              { wide: true },
            ),
            time('Since', 'createdAt', { wide: true }),
            buttons('Change', (member) =>
              may.administer && member.id !== user.id && (may.own || member.role !== 'owner') ? (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Role of ${member.email}`}
                    onClick={() => setChanged(member)}
                  >
                    Role
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`End sessions of ${member.email}`}
                    onClick={() => setEnded(member)}
                  >
                    End sessions
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    color="red.9"
                    aria-label={`Remove ${member.email}`}
                    onClick={() => setRemoved(member)}
                  >
                    Remove
                  </Button>
                </Group>
              ) : (
                '–'
              ),
            ),
          ]}
          empty={
            path === MEMBERS ? (
              <Empty title="Nobody yet" />
            ) : (
              <Empty title="Nobody matches">Change the filter to see others.</Empty>
            )
          }
        />
      </Section>
      {may.administer && <Invitations />}
      <Security />
      {adding && <Invite onClose={() => setAdding(false)} />}
      {ended && <EndSessions member={ended} onClose={() => setEnded(undefined)} />}
      {changed && <ChangeRole member={changed} onClose={() => setChanged(undefined)} />}
      {removed && <RemoveMember member={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  )
}

/** It breaks before its domain and the parts of that, and within these only where they are too long. */
const EmailAddress = ({ of: email }: { readonly of: string }) =>
  email.split(/(?=[@.])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
