import { Code, Stack, Text } from '@mantine/core'
import { asCurl, type SentRequest } from '../../api/client.ts'

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
          <Code key={each.id} block tabIndex={0} className="curl">
            {asCurl(each)}
          </Code>
        ))}
      </Stack>
    </details>
  )
}
