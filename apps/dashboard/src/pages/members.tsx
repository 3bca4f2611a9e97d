import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import { useAction, useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { Status, Time, words } from '../parts/values.tsx'
import { FormDialog } from './ramp-forms.tsx'

const MEMBERS = '/api/core/members'
const INVITATIONS = '/api/core/invitations'
const ROLES = ['viewer', 'approver', 'admin', 'owner'] as const
/** What a role may do; shown before it is given and before it is taken away. */
const MAY: Readonly<Record<string, string>> = {
  viewer: 'sees everything, changes nothing',
  approver: 'also approves operations and changes',
  admin: 'also manages wallets, keys, webhooks, policies and members',
  owner: 'may do everything, also delete the organization',
}

interface Member {
  readonly id: number
  readonly email: string
  readonly name: string | null
  readonly role: (typeof ROLES)[number]
  readonly createdAt: string
  readonly emailVerified: boolean
}
interface Invitation {
  readonly id: number
  readonly email: string
  readonly role: string
  readonly expiresAt: string
}

export function Members() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const { user } = useSession()
  const offset = numberOf(url.offset) ?? 0
  const members = useApi<Member[]>(paged(MEMBERS, offset))
  const invitations = useApi<Invitation[]>(may.administer ? paged(INVITATIONS, 0, 100) : null)
  const [adding, setAdding] = useState(false)
  const [changed, setChanged] = useState<Member>()
  const [removed, setRemoved] = useState<Member>()
  const act = useAction('Done.')
  return (
    <Page
      title="Members"
      description="People, and what each may do"
      actions={may.administer && <Button onClick={() => setAdding(true)}>Invite a member</Button>}
    >
      <Section pad={false} title="People">
        <DataTable
          label="Members"
          path={MEMBERS}
          query={members}
          rows={(items, { total }) => ({ items, total: total ?? items.length })}
          id={({ id }) => id}
          offset={offset}
          onOffset={(next) => setUrl({ offset: next || undefined })}
          columns={[
            {
              title: 'E-mail',
              cell: ({ email, id }) => `${email}${id === user.id ? ' (you)' : ''}`,
              csv: ({ email }) => email,
            },
            { title: 'Name', wide: true, cell: ({ name }) => name ?? '–', csv: ({ name }) => name },
            { title: 'Role', cell: ({ role }) => words(role), csv: ({ role }) => role },
            {
              title: 'Address proved',
              wide: true,
              cell: ({ emailVerified }) => (emailVerified ? 'Yes' : 'No'),
              csv: ({ emailVerified }) => String(emailVerified),
            },
            {
              title: 'Since',
              right: true,
              wide: true,
              cell: ({ createdAt }) => <Time iso={createdAt} />,
              csv: ({ createdAt }) => createdAt,
            },
            {
              title: 'Change',
              right: true,
              cell: (member) =>
                may.administer && member.id !== user.id ? (
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
                      onClick={() => act.mutate({ method: 'DELETE', path: `${MEMBERS}/${member.id}/sessions` })}
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
            },
          ]}
          empty={<Empty title="Nobody yet" />}
        />
      </Section>
      {may.administer && (
        <Section title="Open invitations" pad={false}>
          <DataTable
            label="Open invitations"
            path={INVITATIONS}
            query={invitations}
            rows={(items, { total }) => ({ items, total: total ?? items.length })}
            id={({ id }) => id}
            columns={[
              { title: 'E-mail', cell: ({ email }) => email, csv: ({ email }) => email },
              { title: 'Role', cell: ({ role }) => words(role), csv: ({ role }) => role },
              {
                title: 'Expires',
                right: true,
                cell: ({ expiresAt }) => <Time iso={expiresAt} />,
                csv: ({ expiresAt }) => expiresAt,
              },
              {
                title: 'Change',
                right: true,
                cell: ({ id, email }) => (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Revoke the invitation of ${email}`}
                    onClick={() => act.mutate({ method: 'DELETE', path: `${INVITATIONS}/${id}` })}
                  >
                    Revoke
                  </Button>
                ),
              },
            ]}
            empty={
              <Empty title="No open invitation">
                An invited person gets a mail and chooses a password of their own.
              </Empty>
            }
          />
        </Section>
      )}
      <Security />
      {adding && <Invite onClose={() => setAdding(false)} />}
      {changed && <ChangeRole member={changed} onClose={() => setChanged(undefined)} />}
      {removed && (
        <Modal opened onClose={() => setRemoved(undefined)} title={`Remove ${removed.email}?`}>
          <Stack>
            <Text size="sm">
              They can sign in no longer, and their sessions end at once. Today they {MAY[removed.role]}. Approvals that
              they gave count no longer; keys that they made go on working: see Developers.
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setRemoved(undefined)}>
                Keep them
              </Button>
              <Button
                color="red.9"
                loading={act.isPending}
                onClick={() =>
                  act.mutate(
                    { method: 'DELETE', path: `${MEMBERS}/${removed.id}` },
                    { onSuccess: () => setRemoved(undefined) },
                  )
                }
              >
                Remove
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </Page>
  )
}

function RoleSelect({ value, onChange }: { readonly value: string; readonly onChange: (role: string) => void }) {
  const may = useMay()
  return (
    <>
      <Select
        label="Role"
        data={ROLES.filter((role) => role !== 'owner' || may.own).map((role) => ({ value: role, label: words(role) }))}
        value={value}
        onChange={(role) => role && onChange(role)}
        allowDeselect={false}
      />
      <Text size="sm" c="dimmed">
        {words(value)}: {MAY[value]}.
      </Text>
    </>
  )
}

function Invite({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('viewer')
  return (
    <FormDialog
      title="Invite a member"
      action={{ method: 'POST', path: INVITATIONS, body: { email, role } }}
      submit="Send the invitation"
      done="A mail is on its way. In the sandbox it is in the mailbox on the Sandbox page."
      ready={email !== ''}
      onClose={onClose}
    >
      <TextInput
        label="E-mail address"
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}

function ChangeRole({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const [role, setRole] = useState<string>(member.role)
  return (
    <FormDialog
      title={`Role of ${member.email}`}
      action={{ method: 'PATCH', path: `${MEMBERS}/${member.id}`, body: { role } }}
      submit="Change"
      done="The role counts from the next request."
      ready={role !== member.role}
      onClose={onClose}
    >
      <Text size="sm">
        Now {words(member.role).toLowerCase()}: {MAY[member.role]}.
      </Text>
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}

function Security() {
  const may = useMay()
  const settings = useApi<{ secondFactorRequired: boolean }>('/api/core/organization/security')
  const save = useAction('Saved.')
  return (
    <Section title="Second factors">
      <Loaded query={settings} height={36}>
        {({ secondFactorRequired }) => (
          <Group justify="space-between">
            <Group gap="xs">
              <Status value={secondFactorRequired ? 'Required' : 'Optional'} />
              <Text size="sm">
                {secondFactorRequired
                  ? 'Everybody needs one to do anything.'
                  : 'Members may enroll one in their account.'}
              </Text>
            </Group>
            {may.own ? (
              <Button
                size="xs"
                variant="default"
                loading={save.isPending}
                onClick={() =>
                  save.mutate({
                    method: 'PUT',
                    path: '/api/core/organization/security',
                    body: { secondFactorRequired: !secondFactorRequired },
                  })
                }
              >
                {secondFactorRequired ? 'Make optional' : 'Require'}
              </Button>
            ) : (
              <Alert p="xs">Owners decide</Alert>
            )}
          </Group>
        )}
      </Loaded>
    </Section>
  )
}
