import { lazy, type ComponentType } from 'react';
import { loadPart } from './outage';

/** A component that is loaded when it is first shown; during an outage it is waited for. */
export const onDemand = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) => lazy(() => loadPart(load));
