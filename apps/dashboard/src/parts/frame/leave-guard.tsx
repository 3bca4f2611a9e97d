import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Modal } from '../dialogs.tsx'
import { LAYERS } from '../layers.ts'

interface Props {
  /** Whether something would be lost. */
  readonly when: boolean
  /** What of the address shows where it is: a tab, or what a panel has open. */
  readonly within?: readonly string[]
  /** What would be lost, as the text that asks. */
  readonly children: string
}

/**
 * Asks before one leaves the page, and with it what is only here. Other changes of the address within the page lose
 * nothing.
 */
export function LeaveGuard({ when, within = [], children }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      when &&
      (current.pathname !== next.pathname || within.some((name) => partOf(current, name) !== partOf(next, name))),
    enableBeforeUnload: when,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Modal opened onClose={reset} title="Leave without saving?" zIndex={LAYERS.leave}>
      <Stack>
        <Text size="sm">{children}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={proceed}>
            Leave
          </Button>
          <Button onClick={reset} data-autofocus>
            Stay
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const partOf = ({ search }: { readonly search: object }, name: string): unknown =>
  (search as Readonly<Record<string, unknown>>)[name]
