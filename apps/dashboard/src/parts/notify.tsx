import { notifications } from '@mantine/notifications'

/** A message that a screen reader reads, too. */
export function notify(title: string, message: string, color?: string): void {
  notifications.show({ title, message, ...(color ? { color } : {}), autoClose: color === 'red' ? 12_000 : 5_000 })
}
