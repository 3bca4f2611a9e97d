import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUrl } from '../../lib/page/use-url.ts'

/** Says which day a page shows, and leads back to now. */
export function AsOfAlert({ day, children }: { readonly day: string; readonly children: ReactNode }) {
  const [, setUrl] = useUrl()
  return (
    <Alert color="blue" title={`At the end of ${day}, UTC`}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{children}</Text>
        <Button
          variant="default"
          size="xs"
          className="no-print"
          onClick={() => setUrl({ at: undefined, offset: undefined })}
        >
          Back to now
        </Button>
      </Group>
    </Alert>
  )
}
