import { Group, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable } from '../../parts/tables/data-table.tsx'
import { Hash } from '../../parts/values.tsx'

const { chain, shown } = columnsFor<Schema<'SandboxNetwork'>>()

export function Networks() {
  const networks = useApi<Schema<'SandboxNetwork'>[]>('/v1/sandbox/networks')
  return (
    <Section title="Chains" pad={false}>
      <DataTable
        label="Chains"
        path="/v1/sandbox/networks"
        query={networks}
        rows={bare}
        id={({ blockchain }) => blockchain}
        columns={[
          chain('blockchain'),
          shown(
            'Id',
            ({ chainId }) => chainId ?? '–',
            ({ chainId }) => chainId ?? '',
            { right: true },
          ),
          shown(
            'Endpoint',
            ({ rpcUrl }) => (
              <Text size="sm" ff="monospace" span>
                {rpcUrl}
              </Text>
            ),
            'rpcUrl',
            { wide: true },
          ),
          shown(
            'Tokens',
            ({ tokens }) => (
              <Group gap="md">
                {tokens.map(({ symbol, address }) => (
                  <Hash key={symbol} value={address} label={symbol} length={4} />
                ))}
              </Group>
            ),
            ({ tokens }) => tokens.map(({ symbol, address }) => `${symbol} ${address}`).join(' '),
          ),
        ]}
        empty={<Empty title="No chain" />}
      />
    </Section>
  )
}
