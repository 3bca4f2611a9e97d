import { Alert, SimpleGrid, Stack } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Loaded, Stat } from '../../parts/frame/page.tsx'
import { words } from '../../parts/values.tsx'

export function Quotas() {
  const quotas = useApi<Schema<'Quota'>[]>('/api/core/organization/quotas')
  return (
    <Loaded query={quotas} height={300}>
      {(list) => (
        <Stack>
          {list.some(({ used, limit }) => used * 10 >= limit * 9) && (
            <Alert color="yellow">A quota is nearly used up. The operator can raise it.</Alert>
          )}
          <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm">
            {list.map(({ quota, used, limit }) => (
              <Stat key={quota} label={words(quota.replaceAll(/([A-Z])/g, ' $1'))} value={used} note={`of ${limit}`} />
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  )
}
