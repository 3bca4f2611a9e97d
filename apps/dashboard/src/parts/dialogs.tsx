import { type DrawerProps, Drawer as MantineDrawer, Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useEscape } from './frame/escape.ts'
import { LAYERS } from './layers.ts'

type Closing = Pick<ModalProps, 'opened' | 'onClose' | 'closeOnEscape' | 'zIndex'>

/** Of a dialog that only a button closes, Escape reaches nothing, and nothing below it either. */
function useClosing({ opened, onClose, closeOnEscape = true, zIndex }: Closing): void {
  useEscape(opened, closeOnEscape ? onClose : () => {}, typeof zIndex === 'number' ? zIndex : LAYERS.dialogs)
}

/** A dialog that Escape closes while it is on top. */
export function Modal(props: ModalProps) {
  useClosing(props)
  return <MantineModal {...props} closeOnEscape={false} />
}

/** A panel beside the page that Escape closes while it is on top. */
export function Drawer(props: DrawerProps) {
  useClosing(props)
  return <MantineDrawer {...props} closeOnEscape={false} />
}
