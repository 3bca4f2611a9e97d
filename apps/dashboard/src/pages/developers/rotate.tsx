import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { ShownOnceDialog } from '../../parts/forms/shown-once.tsx'

const OVERLAPS = [
  { value: '0', label: 'at once' },
  { value: '3600', label: 'in an hour' },
  { value: '86400', label: 'in a day' },
  { value: '604800', label: 'in a week' },
]

interface Props<T> {
  /** What is rotated, such as "the secret of Payroll". */
  readonly what: string
  /** Of the key or the account. */
  readonly path: string
  /** Two of them work already: a third is only made if both end. */
  readonly isTwofold?: boolean
  readonly onClose: () => void
  readonly onMade: (made: T) => void
}

/** Asks how long the current secret still works, before another one replaces it. */
export function Rotate<T>({ what, path: of, isTwofold = false, onClose, onMade }: Props<T>) {
  const [overlap, setOverlap] = useState(isTwofold ? '0' : '86400')
  const rotate = useAction<T>(undefined, onMade, onClose)
  const path = `${of}/rotate`
  const body = { overlapSeconds: Number(overlap) }
  return (
    <ShownOnceDialog title={`Rotate ${what}?`} pending={rotate.isPending} onClose={onClose}>
      <Stack>
        <Text size="sm">You get a new one, shown once. Give it to the program before the current one expires.</Text>
        <Select
          label="The current one expires"
          description={isTwofold ? 'Two are valid since the last rotation. Both expire at once.' : undefined}
          disabled={isTwofold}
          data={OVERLAPS}
          value={overlap}
          onChange={(value) => value && setOverlap(value)}
          allowDeselect={false}
        />
        <Group justify="space-between">
          <Curl method="POST" path={path} body={body} />
          <Button loading={rotate.isPending} onClick={() => rotate.mutate({ method: 'POST', path, body })}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </ShownOnceDialog>
  )
}
