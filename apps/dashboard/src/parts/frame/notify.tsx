import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ApiError } from '../../api/client.ts'
import { textOf, titleOf } from '../../api/refusal-text.ts'

const MESSAGE_MS = 5_000
const REFUSAL_MS = 12_000

/** A message that a screen reader reads, too. */
export function notify(title: string, message: string, color?: 'red' | 'yellow'): void {
  notifications.show({ title, message, ...(color && { color }), autoClose: color ? REFUSAL_MS : MESSAGE_MS })
}

/** That something was refused, with its code as small print in its line: a further one would cover more of a dialog. `id`: of what was tried, to take it back with the next try. */
export function notifyRefusal(error: ApiError, id?: string, { before = '', after = '' } = {}): void {
  const message = (
    <>
      {before}
      {textOf(error)} {after}{' '}
      <Text span size="xs" c="dimmed">
        {error.code}
      </Text>
    </>
  )
  notifications.show({ id, title: titleOf(error), message, color: 'red', autoClose: REFUSAL_MS })
}

/** Takes all of them back: they are for who was here. */
export const takeAllBack = (): void => notifications.clean()

/** Takes a notification back. */
export const takeBack = (id: string): void => {
  notifications.hide(id)
}
