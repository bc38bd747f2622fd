import { create } from 'zustand';

/** Whether the form shows every setting or the few that matter, and what is searched for among all. */
export const useForm = create<{ readonly isAll: boolean; readonly query: string }>(() => ({ isAll: false, query: '' }));
