import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { Curl } from '../../parts/curl.tsx'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { words } from '../../parts/values.tsx'

export const INVITATIONS = '/api/core/invitations'
const { buttons, shown, text, time } = columnsFor<Schema<'MemberInvitation'>>()

/** Whom the organization invited and who has not answered. */
export function Invitations() {
  const paging = usePaging('invitationsOffset')
  const invitations = useApi<Schema<'MemberInvitation'>[]>(paged(INVITATIONS, paging.offset))
  const [revoking, setRevoking] = useState<Schema<'MemberInvitation'>>()
  return (
    <Section title="Open invitations" pad={false}>
      <DataTable
        label="Open invitations"
        path={INVITATIONS}
        query={invitations}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={[
          text('Email', 'email'),
          shown('Role', ({ role }) => words(role), 'role'),
          time('Expires', 'expiresAt'),
          buttons('Change', (invitation) => (
            <Group gap={6} justify="flex-end" wrap="nowrap">
              <Curl method="DELETE" path={`${INVITATIONS}/${invitation.id}`} />
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Revoke the invitation of ${invitation.email}`}
                onClick={() => setRevoking(invitation)}
              >
                Revoke
              </Button>
            </Group>
          )),
        ]}
        empty={
          <Empty title="No open invitation">An invited person gets an email and chooses their own password.</Empty>
        }
      />
      {revoking && (
        <FormDialog
          title={`Revoke the invitation of ${revoking.email}?`}
          action={{ method: 'DELETE', path: `${INVITATIONS}/${revoking.id}` }}
          submit="Revoke"
          keep="Keep it"
          isFinal
          done="Invitation revoked."
          onClose={() => setRevoking(undefined)}
        >
          <Text size="sm">The link in their email stops working. You can invite them again.</Text>
        </FormDialog>
      )}
    </Section>
  )
}
