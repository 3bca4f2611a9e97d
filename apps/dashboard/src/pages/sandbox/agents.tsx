import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { SANDBOX_AGENTS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { DeleteFooter } from '../../parts/forms/delete-footer.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable } from '../../parts/tables/data-table.tsx'

const { buttons, state, text, time } = columnsFor<Schema<'SandboxAgent'>>()

/** Custody agents that the sandbox runs for the organization. */
export function Agents() {
  const may = useMay()
  const agents = useApi<Schema<'SandboxAgent'>[]>(SANDBOX_AGENTS)
  const start = useAction<Schema<'SandboxAgent'>>('Agent started.')
  const [leaving, setLeaving] = useState<Schema<'SandboxAgent'>>()
  const stop = buttons('Stop', (agent) => (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Stop ${agent.name} (${agent.id})`}
      onClick={() => setLeaving(agent)}
    >
      Stop
    </Button>
  ))
  const run = may.administer && (
    <Button
      size="xs"
      variant="default"
      loading={start.isPending}
      onClick={() => start.mutate({ method: 'POST', path: SANDBOX_AGENTS })}
    >
      Run an agent
    </Button>
  )
  return (
    <Section
      title="Agents"
      pad={false}
      actions={
        may.administer && (
          <>
            <Curl method="POST" path={SANDBOX_AGENTS} />
            {run}
          </>
        )
      }
    >
      <DataTable
        label="Agents"
        path={SANDBOX_AGENTS}
        query={agents}
        rows={bare}
        id={({ id }) => id}
        columns={[
          text('Name', 'name'),
          text('Key', 'id', { right: true }),
          state('State', 'state'),
          text('Restarts', 'restarts', { right: true, wide: true }),
          time('Running since', 'startedAt', { wide: true }),
          ...(may.administer ? [stop] : []),
        ]}
        empty={
          <Empty title="No agent" action={run}>
            An agent creates wallets with its own keys, in the folder of the service, and signs what Weir plans.
          </Empty>
        }
      />
      {leaving && <Stop agent={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  )
}

interface StopProps {
  readonly agent: Schema<'SandboxAgent'>
  readonly onClose: () => void
}

function Stop({ agent: { id, name }, onClose }: StopProps) {
  const stop = useAction('Agent stopped and its key revoked.', onClose)
  const path = `${SANDBOX_AGENTS}/${id}`
  return (
    <Modal opened onClose={onClose} title={`Stop ${name}?`}>
      <Stack>
        <Text size="sm">
          It finishes its current work, and its API key is revoked. From then on, nobody signs for the wallets that it
          created. Their keys stay in the folder of the service.
        </Text>
        <DeleteFooter action={stop} path={path} label="Stop the agent" onClose={onClose} />
      </Stack>
    </Modal>
  )
}
