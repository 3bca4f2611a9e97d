import { Anchor, Button, Group } from '@mantine/core'
import { useMay, useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'

type Recipient = Pick<Schema<'ListedRecipient'>, 'id' | 'name' | 'kyb_url'>

/** What a recipient that is not verified yet waits for: its form, or in the sandbox a decision. */
export function RecipientStep({ recipient: { id, name, kyb_url } }: { readonly recipient: Recipient }) {
  const may = useMay()
  const { environment } = useSession()
  const approve = useAction('Approved by the sandbox.')
  const approval = { method: 'POST', path: `/v1/ramp/recipients/${id}/kyb/simulate-approve`, body: {} } as const
  return (
    <Group gap={6} wrap="nowrap">
      <Anchor size="sm" href={kyb_url} target="_blank" rel="noreferrer">
        Form
      </Anchor>
      {environment === 'sandbox' && may.administer && (
        <>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Approve ${name}`}
            loading={approve.isPending}
            onClick={() => approve.mutate(approval)}
          >
            Approve
          </Button>
          <Curl {...approval} />
        </>
      )}
    </Group>
  )
}
