import { Stack, Text } from '@mantine/core'
import type { SentRequest } from '../../api/client.ts'
import { Snippet } from '../../parts/curl.tsx'

export function Requests({ list }: { readonly list: readonly SentRequest[] }) {
  return (
    <details>
      <summary>
        <Text span size="sm">
          The {list.length === 1 ? 'request' : `${list.length} requests`}
        </Text>
      </summary>
      <Stack gap="xs" mt="xs">
        {list.map((each) => (
          <Snippet key={each.id} request={each} />
        ))}
      </Stack>
    </details>
  )
}
