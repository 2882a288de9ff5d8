/* Agenda: what happens next on a bus, and to whom. Compiled; plainly it is in `_plain_agenda.py`, line by line the same.

Every message of every run passes here twice, when it is sent and when it arrives, and what is done with it then is
little: compare two numbers, look at a field, call a function. In Python that little is mostly the price of Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#define NEW (-1) /* of an event that has not yet joined the queue of its receiver */

/* --- those that events are about ----------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    PyObject *node, *name, *compute, *drawn;
    long long free_ns;
} NodeState;

typedef struct {
    PyObject_HEAD
    PyObject *node, *topic, *callback, *deaf_to;
    long long depth, period_ns, arrived;
} Receiver;

typedef struct {
    PyObject_HEAD
    PyObject *name, *kind, *first, *place, *accepts, *latency, *sink, *last_ns, *receivers, *watch, *relay, *replaced;
} TopicState;

#define OBJECT(of, member) {#member, T_OBJECT_EX, offsetof(of, member), 0, NULL}
#define NUMBER(of, member) {#member, T_LONGLONG, offsetof(of, member), 0, NULL}
#define VISIT(member) Py_VISIT(self->member);
#define CLEAR(member) Py_CLEAR(self->member);

/* How the garbage collector goes through a type whose objects hold the MEMBERS, and how they are let go of. */
#define COLLECTED(Type, MEMBERS)                                                                                       \
    static int Type##_traverse(Type *self, visitproc visit, void *arg)                                                 \
    {                                                                                                                  \
        MEMBERS(VISIT)                                                                                                 \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static int Type##_clear(Type *self)                                                                                \
    {                                                                                                                  \
        MEMBERS(CLEAR)                                                                                                 \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static void Type##_dealloc(Type *self)                                                                             \
    {                                                                                                                  \
        PyObject_GC_UnTrack(self);                                                                                     \
        Type##_clear(self);                                                                                            \
        Py_TYPE(self)->tp_free((PyObject *)self);                                                                      \
    }

#define OF_NODE_STATE(DO) DO(node) DO(name) DO(compute) DO(drawn)
#define OF_RECEIVER(DO) DO(node) DO(topic) DO(callback) DO(deaf_to)
#define OF_TOPIC_STATE(DO)                                                                                             \
    DO(name) DO(kind) DO(first) DO(place) DO(accepts) DO(latency) DO(sink) DO(last_ns) DO(receivers) DO(watch)     \
    DO(relay) DO(replaced)

COLLECTED(NodeState, OF_NODE_STATE)
COLLECTED(Receiver, OF_RECEIVER)
COLLECTED(TopicState, OF_TOPIC_STATE)

static PyObject *
node_state_new(PyTypeObject *type, PyObject *given, PyObject *named)
{
    PyObject *node, *name, *compute;
    static char *names[] = {"node", "name", "compute", NULL};
    if (!PyArg_ParseTupleAndKeywords(given, named, "OOO:NodeState", names, &node, &name, &compute))
        return NULL;
    NodeState *self = (NodeState *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->node = Py_NewRef(node);
    self->name = Py_NewRef(name);
    self->compute = Py_NewRef(compute);
    self->drawn = Py_NewRef(compute);
    return (PyObject *)self;
}

static PyMemberDef node_state_members[] = {
    OBJECT(NodeState, node), OBJECT(NodeState, name), OBJECT(NodeState, compute), OBJECT(NodeState, drawn),
    NUMBER(NodeState, free_ns), {NULL, 0, 0, 0, NULL},
};

static PyTypeObject NodeStateType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stressfield.bus._agenda.NodeState",
    .tp_doc = "How long a node computes, and until when it is busy.",
    .tp_basicsize = sizeof(NodeState),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = node_state_new,
    .tp_dealloc = (destructor)NodeState_dealloc,
    .tp_traverse = (traverseproc)NodeState_traverse,
    .tp_clear = (inquiry)NodeState_clear,
    .tp_members = node_state_members,
};

static PyObject *
receiver_new(PyTypeObject *type, PyObject *given, PyObject *named)
{
    PyObject *node, *topic, *callback, *deaf_to = Py_None;
    long long depth, period_ns;
    static char *names[] = {"node", "topic", "callback", "depth", "period_ns", "deaf_to", NULL};
    if (!PyArg_ParseTupleAndKeywords(
            given, named, "OUOLL|O:Receiver", names, &node, &topic, &callback, &depth, &period_ns, &deaf_to))
        return NULL;
    if (node != Py_None && !Py_IS_TYPE(node, &NodeStateType)) {
        PyErr_SetString(PyExc_TypeError, "a receiver is a NodeState's, or nobody's");
        return NULL;
    }
    Receiver *self = (Receiver *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->node = Py_NewRef(node);
    self->topic = Py_NewRef(topic);
    self->callback = Py_NewRef(callback);
    self->deaf_to = Py_NewRef(deaf_to);
    self->depth = depth;
    self->period_ns = period_ns;
    return (PyObject *)self;
}

/* What events rely on cannot be changed. */
static PyMemberDef receiver_members[] = {
    {"node", T_OBJECT_EX, offsetof(Receiver, node), READONLY, NULL},
    {"topic", T_OBJECT_EX, offsetof(Receiver, topic), READONLY, NULL},
    {"callback", T_OBJECT_EX, offsetof(Receiver, callback), READONLY, NULL},
    {"deaf_to", T_OBJECT_EX, offsetof(Receiver, deaf_to), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject ReceiverType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stressfield.bus._agenda.Receiver",
    .tp_doc = "Who is called for a topic or, with a period, by a timer.",
    .tp_basicsize = sizeof(Receiver),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = receiver_new,
    .tp_dealloc = (destructor)Receiver_dealloc,
    .tp_traverse = (traverseproc)Receiver_traverse,
    .tp_clear = (inquiry)Receiver_clear,
    .tp_members = receiver_members,
};

static PyObject *
topic_state_new(PyTypeObject *type, PyObject *given, PyObject *named)
{
    PyObject *name, *latency;
    static char *names[] = {"name", "latency", NULL};
    if (!PyArg_ParseTupleAndKeywords(given, named, "UO:TopicState", names, &name, &latency))
        return NULL;
    TopicState *self = (TopicState *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->name = Py_NewRef(name);
    self->latency = Py_NewRef(latency);
    self->kind = Py_NewRef(Py_None);
    self->accepts = Py_NewRef(Py_None);
    self->sink = Py_NewRef(Py_None);
    self->watch = Py_NewRef(Py_None);
    self->relay = Py_NewRef(Py_None);
    self->first = PyUnicode_FromString("");
    self->place = PyUnicode_FromString("");
    self->last_ns = PyDict_New();
    self->receivers = PyList_New(0);
    self->replaced = PyDict_New();
    if (!self->first || !self->place || !self->last_ns || !self->receivers || !self->replaced)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyMemberDef topic_state_members[] = {
    OBJECT(TopicState, name), OBJECT(TopicState, kind), OBJECT(TopicState, first), OBJECT(TopicState, place),
    OBJECT(TopicState, accepts), OBJECT(TopicState, latency), OBJECT(TopicState, sink), OBJECT(TopicState, watch),
    OBJECT(TopicState, relay), {"last_ns", T_OBJECT_EX, offsetof(TopicState, last_ns), READONLY, NULL},
    {"receivers", T_OBJECT_EX, offsetof(TopicState, receivers), READONLY, NULL},
    {"replaced", T_OBJECT_EX, offsetof(TopicState, replaced), READONLY, NULL}, {NULL, 0, 0, 0, NULL},
};

static PyTypeObject TopicStateType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stressfield.bus._agenda.TopicState",
    .tp_doc = "Who listens to a topic, and how long its messages travel.",
    .tp_basicsize = sizeof(TopicState),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = topic_state_new,
    .tp_dealloc = (destructor)TopicState_dealloc,
    .tp_traverse = (traverseproc)TopicState_traverse,
    .tp_clear = (inquiry)TopicState_clear,
    .tp_members = topic_state_members,
};

/* --- events, the next one first ------------------------------------------------------------------------------------ */

typedef struct {
    long long time_ns, age, arrival; /* the age decides between equal times, so the order never depends on anything else */
    Receiver *receiver;
    PyObject *message; /* NULL for a timer */
    long long due_ns;  /* of a timer: when it was to go off, however long its node was busy */
} Event;

typedef struct {
    PyObject_HEAD
    PyObject *stamp, *failed, *clock; /* see the plain version */
    Event *events;                    /* a binary heap */
    Py_ssize_t count, room;
    long long age, now_ns, leaves_ns, dropped, delivered;
    double callback_s;
} Agenda;

#define OF_AGENDA(DO) DO(stamp) DO(failed) DO(clock)

static inline int
earlier(const Event *left, const Event *right)
{
    return left->time_ns < right->time_ns || (left->time_ns == right->time_ns && left->age < right->age);
}

static void
sift_up(Agenda *self, Py_ssize_t place)
{
    Event event = self->events[place];
    while (place > 0) {
        Py_ssize_t above = (place - 1) / 2;
        if (!earlier(&event, &self->events[above]))
            break;
        self->events[place] = self->events[above];
        place = above;
    }
    self->events[place] = event;
}

static void
sift_down(Agenda *self, Py_ssize_t place)
{
    Event event = self->events[place];
    for (;;) {
        Py_ssize_t below = 2 * place + 1;
        if (below >= self->count)
            break;
        if (below + 1 < self->count && earlier(&self->events[below + 1], &self->events[below]))
            below++;
        if (!earlier(&self->events[below], &event))
            break;
        self->events[place] = self->events[below];
        place = below;
    }
    self->events[place] = event;
}

static int
push(Agenda *self, long long time_ns, long long arrival, Receiver *receiver, PyObject *message, long long due_ns)
{
    if (self->count == self->room) {
        Py_ssize_t room = self->room ? 2 * self->room : 64;
        Event *events = PyMem_Realloc(self->events, room * sizeof(Event));
        if (events == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->events = events;
        self->room = room;
    }
    Event event = {time_ns, ++self->age, arrival, receiver, message, due_ns};
    Py_INCREF(receiver);
    Py_XINCREF(message);
    self->events[self->count] = event;
    sift_up(self, self->count++);
    return 0;
}

/* The first event, which is the caller's from now on. */
static Event
pop(Agenda *self)
{
    Event first = self->events[0];
    self->events[0] = self->events[--self->count];
    if (self->count)
        sift_down(self, 0);
    return first;
}

static void
release(Event *event)
{
    Py_DECREF(event->receiver);
    Py_XDECREF(event->message);
}

/* --- Agenda -------------------------------------------------------------------------------------------------------- */

static PyObject *
agenda_new(PyTypeObject *type, PyObject *given, PyObject *named)
{
    PyObject *stamp, *failed, *clock;
    static char *names[] = {"stamp", "failed", "clock", NULL};
    if (!PyArg_ParseTupleAndKeywords(given, named, "OOO:Agenda", names, &stamp, &failed, &clock))
        return NULL;
    Agenda *self = (Agenda *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->stamp = Py_NewRef(stamp);
    self->failed = Py_NewRef(failed);
    self->clock = Py_NewRef(clock);
    return (PyObject *)self;
}

static int
Agenda_traverse(Agenda *self, visitproc visit, void *arg)
{
    OF_AGENDA(VISIT)
    for (Py_ssize_t i = 0; i < self->count; i++) {
        Py_VISIT(self->events[i].receiver);
        Py_VISIT(self->events[i].message);
    }
    return 0;
}

/* Events are taken away before they are released: that may run anything, this agenda included. */
static void
drop_events(Agenda *self)
{
    Event *events = self->events;
    Py_ssize_t count = self->count;
    self->events = NULL;
    self->count = self->room = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        release(&events[i]);
    PyMem_Free(events);
}

static int
Agenda_clear(Agenda *self)
{
    OF_AGENDA(CLEAR)
    drop_events(self);
    return 0;
}

static void
Agenda_dealloc(Agenda *self)
{
    PyObject_GC_UnTrack(self);
    Agenda_clear(self);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *
agenda_add(Agenda *self, PyObject *given)
{
    long long time_ns;
    PyObject *receiver, *message;
    if (!PyArg_ParseTuple(given, "LO!O:add", &time_ns, &ReceiverType, &receiver, &message))
        return NULL;
    if (push(self, time_ns, NEW, (Receiver *)receiver, message, 0) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *
agenda_add_timer(Agenda *self, PyObject *given)
{
    long long first_ns;
    PyObject *receiver;
    if (!PyArg_ParseTuple(given, "LO!:add_timer", &first_ns, &ReceiverType, &receiver))
        return NULL;
    if (push(self, first_ns, 0, (Receiver *)receiver, NULL, first_ns) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* The integer that a function gives; -1 with an exception if it gives none. */
static long long
asked(PyObject *function)
{
    if (function == NULL) { /* somebody deleted it */
        PyErr_SetString(PyExc_AttributeError, "there is nobody to ask for a time");
        return -1;
    }
    PyObject *given = PyObject_CallNoArgs(function);
    if (given == NULL)
        return -1;
    long long number = PyLong_AsLongLong(given);
    Py_DECREF(given);
    return number;
}

/* When a message arrives that was sent at a time: never before an earlier one of the same sender. */
static PyObject *
arrival_of(TopicState *topic, long long sent_ns, PyObject *sender, long long *arrival_ns)
{
    long long latency_ns = asked(topic->latency);
    if (latency_ns == -1 && PyErr_Occurred())
        return NULL;
    *arrival_ns = sent_ns + latency_ns;
    PyObject *last = PyDict_GetItemWithError(topic->last_ns, sender);
    if (last == NULL && PyErr_Occurred())
        return NULL;
    if (last != NULL) {
        long long last_ns = PyLong_AsLongLong(last);
        if (last_ns == -1 && PyErr_Occurred())
            return NULL;
        if (*arrival_ns < last_ns)
            *arrival_ns = last_ns;
    }
    PyObject *told = PyLong_FromLongLong(*arrival_ns);
    if (told != NULL && PyDict_SetItem(topic->last_ns, sender, told) < 0)
        Py_CLEAR(told);
    return told;
}

/* An event for each receiver that is not deaf to the sender. */
static int
deliver(Agenda *self, TopicState *topic, PyObject *message, PyObject *sender, long long arrival_ns)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(topic->receivers); i++) {
        PyObject *item = PyList_GET_ITEM(topic->receivers, i);
        if (!Py_IS_TYPE(item, &ReceiverType)) {
            PyErr_SetString(PyExc_TypeError, "wanted receivers");
            return -1;
        }
        Receiver *receiver = (Receiver *)item;
        int deaf = receiver->deaf_to != Py_None;
        if (deaf && (deaf = PyObject_RichCompareBool(receiver->deaf_to, sender, Py_EQ)) < 0)
            return -1;
        if (!deaf && push(self, arrival_ns, NEW, receiver, message, 0) < 0)
            return -1;
    }
    return 0;
}

/* Call a function, if there is one, for what it does. */
static int
tell(PyObject *function, PyObject *what)
{
    if (function == NULL || function == Py_None)
        return 0;
    Py_INCREF(function);
    PyObject *result = PyObject_CallOneArg(function, what);
    Py_DECREF(function);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static PyObject *
agenda_send(Agenda *self, PyObject *const *given, Py_ssize_t count)
{
    if (count != 4 || !Py_IS_TYPE(given[0], &TopicStateType)) {
        PyErr_SetString(PyExc_TypeError, "wanted (topic state, message, sent_ns, sender)");
        return NULL;
    }
    TopicState *topic = (TopicState *)given[0];
    PyObject *message = given[1], *sent = given[2], *sender = given[3], *arrived;
    long long sent_ns = PyLong_AsLongLong(sent), arrival_ns;
    if (sent_ns == -1 && PyErr_Occurred())
        return NULL;
    if (PyList_GET_SIZE(topic->receivers)) {
        arrived = arrival_of(topic, sent_ns, sender, &arrival_ns);
        if (arrived != NULL && deliver(self, topic, message, sender, arrival_ns) < 0)
            Py_CLEAR(arrived);
    }
    else
        arrived = Py_NewRef(sent);
    if (arrived == NULL)
        return NULL;
    PyObject *row = PyTuple_Pack(3, sent, arrived, message);
    Py_DECREF(arrived);
    if (row == NULL)
        return NULL;
    int failed = tell(topic->sink, row) < 0 || tell(topic->watch, sent) < 0;
    Py_DECREF(row);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static int
read_clock(Agenda *self, double *seconds)
{
    if (self->clock == Py_None)
        return 0;
    PyObject *given = PyObject_CallNoArgs(self->clock);
    if (given == NULL)
        return -1;
    *seconds = PyFloat_AsDouble(given);
    Py_DECREF(given);
    return *seconds == -1.0 && PyErr_Occurred() ? -1 : 0;
}

/* What a callback raised is told to `failed`, which raises what is to be raised. */
static int
tell_failure(Agenda *self, Receiver *receiver, long long time_ns)
{
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    if (traceback != NULL)
        PyException_SetTraceback(error, traceback);
    PyObject *result = PyObject_CallFunction(self->failed, "OLO", receiver, time_ns, error);
    if (result != NULL) { /* it must raise: what came of the callback is not to be lost */
        Py_DECREF(result);
        PyErr_Restore(type, error, traceback);
        return -1;
    }
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
    return -1;
}

/* For the rig's own: it computes in no time, and its trouble is nobody's callback's. */
static int
handle_at_once(Agenda *self, Event *event)
{
    PyObject *row = Py_BuildValue("OLO", event->receiver->topic, event->time_ns, event->message);
    PyObject *stamped = row == NULL ? NULL : PyObject_CallOneArg(self->stamp, row);
    PyObject *result = stamped == NULL ? NULL : PyObject_CallOneArg(event->receiver->callback, stamped);
    Py_XDECREF(row);
    Py_XDECREF(stamped);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int
handle(Agenda *self, NodeState *node, Event *event)
{
    Receiver *receiver = event->receiver;
    double begin_s = 0.0, end_s = 0.0;
    self->now_ns = event->time_ns;
    long long compute_ns = asked(node->compute);
    if (compute_ns == -1 && PyErr_Occurred())
        return -1;
    self->leaves_ns = node->free_ns = event->time_ns + compute_ns;
    self->delivered++;
    if (read_clock(self, &begin_s) < 0)
        return -1;
    PyObject *result = event->message == NULL ? PyObject_CallNoArgs(receiver->callback)
                                              : PyObject_CallOneArg(receiver->callback, event->message);
    if (result == NULL)
        return tell_failure(self, receiver, event->time_ns);
    Py_DECREF(result);
    if (read_clock(self, &end_s) < 0)
        return -1;
    self->callback_s += end_s - begin_s;
    return 0;
}

static PyObject *
agenda_run_until(Agenda *self, PyObject *limit)
{
    long long limit_ns = PyLong_AsLongLong(limit);
    if (limit_ns == -1 && PyErr_Occurred())
        return NULL;
    while (self->count && self->events[0].time_ns <= limit_ns) {
        Event *next = &self->events[0];
        Receiver *receiver = next->receiver;
        Event event;
        int failed;
        if (receiver->node == Py_None) {
            event = pop(self);
            failed = handle_at_once(self, &event);
            release(&event);
            if (failed)
                return NULL;
            continue;
        }
        NodeState *node = (NodeState *)receiver->node;
        if (next->arrival < 0) /* seen for the first time: it joins the queue of its receiver */
            next->arrival = ++receiver->arrived;
        if (node->free_ns > next->time_ns) { /* busy: back into the queue, with its age, until the node is free */
            next->time_ns = node->free_ns;
            sift_down(self, 0);
            continue;
        }
        if (receiver->period_ns) {
            event = *next;
            Py_INCREF(receiver);
            next->time_ns = next->due_ns = event.due_ns + receiver->period_ns;
            next->arrival = 0;
            sift_down(self, 0);
        }
        else {
            event = pop(self);
            if (receiver->arrived - event.arrival >= receiver->depth) { /* newer ones have pushed it out */
                self->dropped++;
                release(&event);
                continue;
            }
        }
        Py_INCREF(node);
        failed = handle(self, node, &event);
        Py_DECREF(node);
        release(&event);
        if (failed)
            return NULL;
    }
    self->now_ns = limit_ns;
    Py_RETURN_NONE;
}

static PyObject *
agenda_remove(Agenda *self, PyObject *node)
{
    /* First they are all put aside: to release one may run anything. */
    Py_ssize_t kept = 0, gone = 0;
    Event *removed = PyMem_Calloc(self->count ? self->count : 1, sizeof(Event));
    if (removed == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < self->count; i++) {
        if (self->events[i].receiver->node == node)
            removed[gone++] = self->events[i];
        else
            self->events[kept++] = self->events[i];
    }
    self->count = kept;
    for (Py_ssize_t i = kept / 2 - 1; i >= 0; i--)
        sift_down(self, i);
    for (Py_ssize_t i = 0; i < gone; i++)
        release(&removed[i]);
    PyMem_Free(removed);
    Py_RETURN_NONE;
}

static PyObject *
agenda_clear(Agenda *self, PyObject *Py_UNUSED(none))
{
    drop_events(self);
    Py_RETURN_NONE;
}

static PyMethodDef agenda_methods[] = {
    {"add", (PyCFunction)agenda_add, METH_VARARGS, "add(time_ns, receiver, message)"},
    {"add_timer", (PyCFunction)agenda_add_timer, METH_VARARGS, "add_timer(first_ns, receiver)"},
    {"send", (PyCFunction)(void (*)(void))agenda_send, METH_FASTCALL, "send(topic, message, sent_ns, sender)"},
    {"run_until", (PyCFunction)agenda_run_until, METH_O, "Handle every event up to and including a time."},
    {"remove", (PyCFunction)agenda_remove, METH_O, "Forget all events of a node."},
    {"clear", (PyCFunction)agenda_clear, METH_NOARGS, "Forget all events."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef agenda_members[] = {
    NUMBER(Agenda, now_ns), NUMBER(Agenda, leaves_ns), NUMBER(Agenda, dropped), NUMBER(Agenda, delivered),
    {"callback_s", T_DOUBLE, offsetof(Agenda, callback_s), 0, NULL}, {NULL, 0, 0, 0, NULL},
};

static PyTypeObject AgendaType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stressfield.bus._agenda.Agenda",
    .tp_doc = "Deliveries and timers in one order, by time and then by age.",
    .tp_basicsize = sizeof(Agenda),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = agenda_new,
    .tp_dealloc = (destructor)Agenda_dealloc,
    .tp_traverse = (traverseproc)Agenda_traverse,
    .tp_clear = (inquiry)Agenda_clear,
    .tp_methods = agenda_methods,
    .tp_members = agenda_members,
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_agenda",
    .m_doc = "What happens next on a bus, and to whom.",
    .m_size = -1,
};

PyMODINIT_FUNC
PyInit__agenda(void)
{
    static PyTypeObject *types[] = {&NodeStateType, &ReceiverType, &TopicStateType, &AgendaType};
    static const char *names[] = {"NodeState", "Receiver", "TopicState", "Agenda"};
    PyObject *made = PyModule_Create(&module);
    for (int i = 0; made != NULL && i < 4; i++)
        if (PyType_Ready(types[i]) < 0 || PyModule_AddObjectRef(made, names[i], (PyObject *)types[i]) < 0)
            Py_CLEAR(made);
    if (made != NULL && PyModule_AddStringConstant(made, "SOURCE", SOURCE) < 0)
        Py_CLEAR(made);
    return made;
}
